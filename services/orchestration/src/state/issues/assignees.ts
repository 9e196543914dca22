import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { WakeOutcome } from '@switchyard/types';
import type { Call, Tx } from '../../kernel/call';
import { isEmployed } from '../statuses/agent-status';
import { isOver, openBlockersSql } from '../statuses/issue-status';
import { isForeseenToJoin, NO_WAKE, type Prospect, prospectSql } from '../wakeups/foresee-wake';
import { recordWakeups } from '../wakeups/record-wakeups';
import { lockBlockerRows } from './blockers';

export type Assignee = RowOf<typeof lockAssigneeRow>;

/**
 * Locks the assignee, so that no work goes to an agent that is being terminated. Call before
 * locking the issue. Returns null for ids of other companies, which the foreign key rejects.
 */
export async function lockAssignee(
  tx: Database,
  companyId: string,
  agentId: string | null | undefined,
): Promise<Assignee | null> {
  if (!agentId) return null;
  const [assignee] = await ask(tx, lockAssigneeRow, { companyId, agentId });
  return assignee ?? null;
}

export function assertAssignable({ status }: Pick<Assignee, 'status'>): void {
  if (isEmployed(status)) return;
  throw unprocessable('semantic_error', `work cannot be assigned to a ${status} agent`, {
    field: 'assigneeAgentId',
    status,
  });
}

export async function readAssignee(db: Database, agentId: string | null): Promise<Assignee | null> {
  if (agentId === null) return null;
  const [assignee] = await ask(db, readAssigneeRow, { agentId });
  return assignee ?? null;
}

export function assignmentSkipReason(
  { actor }: Call,
  issue: { status: string },
  agent: Pick<Assignee, 'id' | 'wakeOnAssignment'>,
): string | null {
  if (isOver(issue.status)) return `the issue is ${issue.status}`;
  if (actor.type === 'agent' && actor.agentId === agent.id)
    return 'the agent assigned the issue to itself';
  return agent.wakeOnAssignment ? null : 'wakeOnAssignment is off';
}

/**
 * Wakes an agent that has `wakeOnAssignment`, unless the agent assigned the work itself. If the
 * work has open blockers, the agent wakes when they end.
 */
export async function wakeAssignee(
  tx: Tx,
  issue: { id: string; status: string },
  agent: Pick<Assignee, 'id' | 'wakeOnAssignment'>,
): Promise<WakeOutcome> {
  const reason = assignmentSkipReason(tx, issue, agent);
  if (reason) return skipped(agent.id, reason);
  return wakeFor(tx, issue.id, agent.id, {});
}

/**
 * Wakes the agent regardless of `wakeOnAssignment`. Takes the same locks as a transaction that ends
 * a blocker, then reads the open blockers. So either this function records the wake, or that
 * transaction reads the new assignee and wakes it.
 */
export async function wakeFor(
  tx: Tx,
  issueId: string,
  agentId: string,
  cause: { reason?: string; payload?: Record<string, unknown> },
): Promise<WakeOutcome> {
  const locks = [bind(lockBlockerRows, { issueId })];
  const [foreseen] = await trip(tx, locks, foreseeWork, { agentId, issueId });
  if (!foreseen) throw new Error(`the agent ${agentId} or the issue ${issueId} does not exist`);
  const { prospect, openBlockers } = foreseen;
  if (openBlockers > 0) return skipped(agentId, blockedBy(openBlockers));
  const wake = { source: 'assignment', issueId, ...cause } as const;
  const recorded = await recordWakeups(tx, { agentIds: [agentId], ...wake });
  if (recorded === 'hop_limit') return skipped(agentId, TOO_MANY_HOPS);
  return outcomeOf(agentId, prospect, recorded[0]);
}

export function outcomeOf(
  agentId: string,
  prospect: Prospect,
  wakeupId: string | null = null,
): WakeOutcome {
  const refusal = prospect.refusal;
  if (refusal) return skipped(agentId, WORDS[refusal] ?? refusal);
  const outcome = isForeseenToJoin(prospect) ? 'coalesced' : 'queued';
  return { agentId, outcome, reason: null, heartbeatRunId: prospect.waitingRunId, wakeupId };
}

export const TOO_MANY_HOPS = 'the chain of agents that wake one another is too long';

export const skipped = (agentId: string, reason: string): WakeOutcome => ({
  agentId,
  outcome: 'skipped',
  reason,
  ...NO_WAKE,
});

export const blockedBy = (openBlockers: number): string =>
  `the issue waits for ${openBlockers === 1 ? 'another issue' : `${openBlockers} other issues`}`;

const WORDS: Record<string, string> = {
  company_paused: 'the company is paused',
  company_archived: 'the company is archived',
  agent_paused_manual: 'the agent is paused',
  agent_paused_failures: 'the agent is paused after consecutive failures',
  agent_budget: "the agent's budget for this month is spent",
  company_budget: "the company's budget for this month is spent",
};

export const lockAssigneeRow = statement('lock-assignee', {
  takes: { companyId: 'uuid', agentId: 'uuid' },
  gives: { id: 'uuid', status: 'text', wakeOnAssignment: 'bool' },
  sql: ({ companyId, agentId }) => `
    SELECT id, status, wake_on_assignment AS "wakeOnAssignment" FROM agent
    WHERE id = ${agentId} AND company_id = ${companyId} FOR NO KEY UPDATE`,
});

const readAssigneeRow = statement('read-assignee', {
  takes: { agentId: 'uuid' },
  gives: { id: 'uuid', status: 'text', wakeOnAssignment: 'bool' },
  sql: ({ agentId }) => `
    SELECT id, status, wake_on_assignment AS "wakeOnAssignment" FROM agent WHERE id = ${agentId}`,
});

const foreseeWork = statement('foresee-work', {
  takes: { agentId: 'uuid', issueId: 'uuid' },
  gives: { prospect: 'json', openBlockers: 'int' },
  sql: (p) => `
    SELECT ${prospectSql('a', 'c')} AS prospect, ${openBlockersSql(p.issueId)} AS "openBlockers"
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${p.agentId}`,
});
