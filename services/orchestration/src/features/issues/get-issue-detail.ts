import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { IssueDetailView } from '@switchyard/types';
import { documentSummaries, findDocument } from '../documents/documents';
import { presentGoal } from '../goals/present-goal';
import { presentProject } from '../projects/present-project';
import { PROJECT_DETAIL } from '../projects/projects';
import { extractLegacyPlan } from './legacy-plan';
import { listAncestors } from './list-ancestors';
import { presentIssue } from './present-issue';

const LINKS = { goal: true, project: { include: PROJECT_DETAIL } } as const;

/**
 * An issue with all that an agent needs to begin (spec, "Get Issue"), in a number of queries that does
 * not depend on how much there is.
 * @throws ApiError 404
 */
export async function getIssueDetail(db: Database, id: string): Promise<IssueDetailView> {
  const issue = await db.prisma.issue.findUnique({ where: { id }, include: LINKS });
  if (!issue) throw notFound('issue');
  const planDocument = await findDocument(db, id, 'plan');
  const legacyPlan = planDocument ? null : extractLegacyPlan(issue.description);
  return {
    ...presentIssue(issue),
    project: issue.project && presentProject(issue.project),
    goal: issue.goal && presentGoal(issue.goal),
    ancestors: await listAncestors(db, id),
    planDocument,
    documentSummaries: await documentSummaries(db, id),
    legacyPlanDocument: legacyPlan
      ? { key: 'plan', format: 'markdown', body: legacyPlan, source: 'issue_description' }
      : null,
  };
}
