import { type RowOf, select, statement } from '@switchyard/db';
import { isExpiredSql, isForTakerSql, TAKER } from './takers';

/** SQL: whether the run `r` waits, and may start by now. */
export const DUE = `r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())`;
/** SQL: how many runs of the agent of run `r` have begun and not ended. */
export const RUNNING_OF_AGENT = `(SELECT count(*)::int FROM heartbeat_run o
  WHERE o.agent_id = r.agent_id AND o.status = 'running')`;

/** Whether a claim may come to anything, so that one in vain takes no lock. */
export const findClaimable = statement('find-claimable-run', {
  takes: { runId: 'uuid', takeOverAfterMs: 'int?' },
  gives: { id: 'uuid' },
  sql: ({ runId, takeOverAfterMs }) => `
    SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
    WHERE r.id = ${runId} AND (
      ${isExpiredSql('r', takeOverAfterMs)}
      OR (${DUE} AND ${RUNNING_OF_AGENT} < a.max_concurrent_runs))`,
});

const LOCKED = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  epoch: 'int',
  attempt: 'int',
  losses: 'int',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  hops: 'int',
  retries: 'int',
  wakeReasons: 'json',
  workerId: 'text?',
  isDetached: 'bool',
} as const;

export type LockedRun = RowOf<typeof lockRun>;

/** What decides about a claim, behind the lock on the run. */
export const lockRun = statement('lock-run-to-claim', {
  takes: { runId: 'uuid', ...TAKER, takeOverAfterMs: 'int?' },
  gives: {
    ...LOCKED,
    isCancelled: 'bool',
    isExpired: 'bool',
    isDue: 'bool',
    running: 'int',
    isForTaker: 'bool',
  },
  sql: (p) => `
    SELECT ${select(LOCKED, 'r')}, r.cancel_requested_at IS NOT NULL AS "isCancelled",
      ${isExpiredSql('r', p.takeOverAfterMs)} AS "isExpired",
      ${DUE} AS "isDue", ${RUNNING_OF_AGENT} AS running,
      (SELECT ${isForTakerSql('a', p)} FROM agent a WHERE a.id = r.agent_id) AS "isForTaker"
    FROM heartbeat_run r WHERE r.id = ${p.runId} FOR UPDATE`,
});
