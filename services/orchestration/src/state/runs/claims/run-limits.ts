import { statement } from '@switchyard/db';

export const isLimitedSql = (agent: string, companyId: string): string =>
  `run_keys(${agent}) && (SELECT full_keys(${companyId}))`;

/** SQL: the same for many runs; reads each company's limits once. */
export const hasFullKeySql = (agent: string): string => `EXISTS (
  SELECT FROM (SELECT l.company_id, full_keys(l.company_id) AS keys
    FROM (SELECT DISTINCT company_id FROM run_limit) l OFFSET 0) full_limits
  WHERE full_limits.company_id = ${agent}.company_id AND run_keys(${agent}) && full_limits.keys)`;

/**
 * Concurrent claims of runs with a common key run one after the other, so that they cannot exceed
 * its limit.
 */
export const lockLimitsOfAgent = statement('lock-run-limits-of-agent', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `
    SELECT FROM run_limit l JOIN agent a ON a.company_id = l.company_id AND l.key = ANY (run_keys(a))
    WHERE a.id = ${agentId} ORDER BY l.key FOR NO KEY UPDATE OF l`,
});

const MOST_HOLDERS = 20;

export const runsOfKeySql = (companyId: string, key: string): string => `heartbeat_run o
  JOIN agent b ON b.id = o.agent_id
  WHERE o.company_id = ${companyId} AND o.status = 'running' AND ${key} = ANY (run_keys(b))`;

export const blockingLimitSql = (agent: string, companyId: string): string => `(
  SELECT jsonb_build_object('key', l.key, 'maxRunning', l.max_running, 'isPaused', l.is_paused,
    'running', (SELECT count(*) FROM ${runsOfKeySql('l.company_id', 'l.key')}),
    'heldBy', coalesce((SELECT jsonb_agg(held) FROM (
      SELECT o.id AS "runId", b.id AS "agentId", b.name AS "agentName"
      FROM ${runsOfKeySql('l.company_id', 'l.key')}
      ORDER BY o.started_at, o.id LIMIT ${MOST_HOLDERS}) held), '[]'))
  FROM run_limit l
  WHERE l.company_id = ${companyId} AND l.key = ANY (run_keys(${agent}))
    AND l.key = ANY (full_keys(l.company_id))
  ORDER BY l.is_paused DESC, l.key LIMIT 1)`;
