import type { IssueModel, Transaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RunStatus } from '@switchyard/types';

export type LockedIssue = IssueModel & { holder: { agentId: string; status: RunStatus } | null };

/**
 * Locks the acting run against its end, and then the issue, in the order that every writer keeps. A key
 * share lock, because a stronger one would starve the renewals of the run's lease. Answers the issue with whoever holds its lock.
 */
export async function lockIssue(
  tx: Transaction,
  issueId: string,
  runId: string | null,
): Promise<{ issue: LockedIssue; runIsLive: boolean }> {
  const run = runId
    ? await tx.prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM heartbeat_run WHERE id = ${runId}::uuid AND status = 'running' FOR KEY SHARE`
    : [];
  await tx.prisma.$queryRaw`SELECT 1 FROM issue WHERE id = ${issueId}::uuid FOR NO KEY UPDATE`;
  const issue = await tx.prisma.issue.findUnique({
    where: { id: issueId },
    include: { lockHolder: { select: { agentId: true, status: true } } },
  });
  if (!issue) throw notFound('issue');
  const { lockHolder, ...row } = issue;
  const holder = lockHolder && {
    agentId: lockHolder.agentId,
    status: lockHolder.status as RunStatus,
  };
  return { issue: { ...row, holder }, runIsLive: run.length > 0 };
}

/** Who owns an issue in progress: the agent of the run that holds the lock, else the assignee. */
export function ownerOf(issue: LockedIssue): string | null {
  if (issue.holder?.status === 'running') return issue.holder.agentId;
  return issue.assigneeAgentId;
}
