import { jsonObject } from '@switchyard/db';
import type { AgentView, ListedAgentView } from '@switchyard/types';
import { issueCounts, issueReference, presentIssueCounts } from '../../lists/row-facts';

export const AGENT_FACTS = {
  errorReason: 'text?',
  consecutiveFailures: 'int',
  currentRun: 'json?',
  lastRun: 'json?',
  issueCounts: 'json?',
} as const;

export const selectAgentFacts = (a: string) => `
  CASE WHEN ${a}.status = 'error' OR ${a}.pause_reason = 'failures'
    THEN left(${a}.error_reason, ${MAX_REASON}) END AS "errorReason",
  ${a}.consecutive_failures AS "consecutiveFailures",
  ${currentRun(`${a}.id`)} AS "currentRun",
  ${lastRun(`${a}.id`)} AS "lastRun",
  ${issueCounts(a)} AS "issueCounts"`;

const MAX_REASON = 500;

const currentRun = (agentId: string) => `
  (SELECT ${jsonObject({ id: 'uuid', startedAt: 'time?' }, 'run', { issue: issueReference('run.issue_id') })}
    FROM heartbeat_run run WHERE run.agent_id = ${agentId} AND run.status = 'running'
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1)`;

function lastRun(agentId: string): string {
  const newestOf = (status: string) => `(
    SELECT id, status, finished_at, error_code, created_at FROM heartbeat_run
    WHERE agent_id = ${agentId} AND status = '${status}' ORDER BY created_at DESC, id DESC LIMIT 1)`;
  return `
  (SELECT ${jsonObject({ id: 'uuid', status: 'text', finishedAt: 'time?', errorCode: 'text?' }, 'run')}
    FROM (${ENDED.map(newestOf).join(' UNION ALL ')}) run
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1)`;
}

const ENDED = ['succeeded', 'failed', 'timed_out', 'cancelled'];

type Facts = Pick<
  ListedAgentView,
  'errorReason' | 'consecutiveFailures' | 'currentRun' | 'lastRun'
> & { issueCounts: Record<string, number> | null };

export function presentListedAgent<Agent extends SmallAgent>(agent: Agent & Facts) {
  return {
    ...agent,
    statusSince: sinceOf(agent),
    issueCounts: presentIssueCounts(agent.issueCounts),
  };
}

type SmallAgent = Pick<AgentView, 'status' | 'pausedAt' | 'createdAt'>;

function sinceOf({ status, pausedAt, createdAt, lastRun, currentRun }: SmallAgent & Facts) {
  if (status === 'paused') return pausedAt;
  if (status === 'error') return lastRun?.finishedAt ?? null;
  if (status === 'running') return currentRun?.startedAt ?? null;
  return status === 'pending_approval' ? createdAt : null;
}
