import type { Database } from '@switchyard/db';
import type { WakeView } from '@switchyard/types';
import type { RunFacts, WakeFacts } from '../../adapters/agents/agent-adapter';

/** What a prompt tells one by one; further wakes are a request away. */
const MAX_WAKES = 50;

/** What the run is about, as it is now: what happened since it was woken is part of its work. */
export async function readRunFacts(
  db: Database,
  run: { agentId: string; companyId: string; issueId: string | null; wakes: readonly WakeView[] },
): Promise<RunFacts> {
  const { agentId, companyId, issueId } = run;
  const told = run.wakes.slice(0, MAX_WAKES);
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
  const { company, ...identity } = agent;
  return {
    agent: identity,
    company,
    issue,
    wakes: await readWakeFacts(db, companyId, told),
    moreWakes: run.wakes.length - told.length,
  };
}

/** What was said in each wake, and how its issue stands. */
async function readWakeFacts(
  db: Database,
  companyId: string,
  wakes: readonly WakeView[],
): Promise<WakeFacts[]> {
  const issues = await db.prisma.issue.findMany({
    where: { id: { in: present(wakes.map(({ issueId }) => issueId)) }, companyId },
    select: { id: true, identifier: true, title: true, status: true },
  });
  const comments = await db.prisma.issueComment.findMany({
    where: { id: { in: present(wakes.map(({ commentId }) => commentId)) }, companyId },
    select: { id: true, body: true, author: { select: { name: true } } },
  });
  return wakes.map(({ source, reason, issueId, commentId, payload }) => {
    const issue = issues.find(({ id }) => id === issueId) ?? null;
    const comment = comments.find(({ id }) => id === commentId);
    const author = comment ? (comment.author?.name ?? 'the board') : null;
    return { source, reason, issue, comment: comment?.body ?? null, author, payload };
  });
}

const present = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
