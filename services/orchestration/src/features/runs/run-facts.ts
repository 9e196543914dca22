import type { Database } from '@switchyard/db';
import type { WakeReason } from '@switchyard/types';
import type { RunFacts } from '../../adapters/agents/agent-adapter';

/** What the run is about, as it is now: what happened since it was woken is part of its work. */
export async function readRunFacts(
  db: Database,
  run: { agentId: string; companyId: string; issueId: string | null; wakeReasons: unknown },
): Promise<RunFacts> {
  const { agentId, companyId, issueId } = run;
  const reasons = run.wakeReasons as WakeReason[];
  const agent = await db.prisma.agent.findUniqueOrThrow({
    where: { id: agentId },
    select: {
      name: true,
      role: true,
      title: true,
      capabilities: true,
      company: { select: { name: true } },
    },
  });
  const issue = issueId
    ? await db.prisma.issue.findFirst({
        where: { id: issueId, companyId },
        select: { identifier: true, title: true, status: true, priority: true, description: true },
      })
    : null;
  const ids = reasons.flatMap(({ commentId }) => (commentId ? [commentId] : []));
  const comments = await db.prisma.issueComment.findMany({
    where: { id: { in: ids }, companyId },
    select: { id: true, body: true },
  });
  const bodies = new Map(comments.map(({ id, body }) => [id, body]));
  const { company, ...identity } = agent;
  return {
    agent: identity,
    company,
    issue,
    wakes: reasons.map(({ source, reason, commentId }) => ({
      source,
      reason,
      comment: (commentId && bodies.get(commentId)) ?? null,
    })),
  };
}
