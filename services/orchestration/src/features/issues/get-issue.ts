import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { IssueView } from '@switchyard/types';
import { presentIssue } from './present-issue';

export async function getIssue(db: Database, id: string): Promise<IssueView> {
  const issue = await db.prisma.issue.findUnique({ where: { id } });
  if (!issue) throw notFound('issue');
  return presentIssue(issue);
}
