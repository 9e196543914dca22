import { select, statement } from '@switchyard/db';
import { isAtWorkSql } from '../../agents/may-start';
import { budgetStopSql, lacksMonthSql } from '../../budgets/budget-stop';
import { hasRoomSql, isReadySql } from './claim-order';
import { isLimitedSql } from './run-limits';
import { isExpiredSql, isForTakerSql, TAKER } from './takers';

export const MAX_ATTEMPTS = 3;

/**
 * SQL: the reason to end run `r`, whose lease has expired; null if another worker may take it over.
 * `budget` has the column `stop`. A detached run never restarts.
 */
const lossSql = `CASE
  WHEN r.is_detached AND r.cancel_requested_at IS NULL THEN 'timeout'
  WHEN r.is_detached THEN 'cancelled'
  ELSE coalesce(budget.stop, CASE
    WHEN r.cancel_requested_at IS NOT NULL THEN 'cancelled'
    WHEN r.attempt >= ${MAX_ATTEMPTS} AND r.worker_id IS NOT NULL THEN 'worker_lost' END) END`;

export const CLAIM = {
  runId: 'uuid',
  runnerInstance: 'uuid?',
  ...TAKER,
  takeOverAfterMs: 'int?',
  maxRunning: 'int',
} as const;

type Parameters = Readonly<Record<keyof typeof CLAIM, string>>;

export const budgetSql = `LATERAL (SELECT ${budgetStopSql('a', 'c')} AS stop) budget`;

const isDueSql = `(r.status = 'queued' AND ${isReadySql('r')} AND ${hasRoomSql('a')})`;

const cappedSql = 'capped_wakes(r.id)';

const isPresentSql = (instance: string) => `(${instance} IS NULL OR EXISTS (
  SELECT 1 FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL))`;

export const mayClaimSql = (
  p: Parameters,
) => `(${isPresentSql(p.runnerInstance)} AND ${isForTakerSql('a', p)} AND budget.stop IS NULL AND CASE r.status
  WHEN 'queued' THEN ${isDueSql} AND ${isAtWorkSql('a', 'c')}
    AND NOT ${isLimitedSql('a', 'a.company_id')} AND NOT EXISTS (SELECT FROM ${cappedSql})
    AND (${p.maxRunning} = 0 OR (SELECT count(*) FROM heartbeat_run o
      WHERE o.company_id = r.company_id AND o.status = 'running') < ${p.maxRunning})
  ELSE ${isExpiredSql('r', p.takeOverAfterMs)} AND ${lossSql} IS NULL END)`;

const RUN = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  epoch: 'int',
  losses: 'int',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  hops: 'int',
  retries: 'int',
  wakeReasons: 'json',
  workerId: 'text?',
} as const;

/**
 * Returns why a run was not claimed: either it must end (`loss`, `stop`) or park wakes (`cap`), or
 * it can be claimed now (`mayClaim`). Returns no row if there is nothing to do.
 */
export const explainUnclaimed = statement('explain-unclaimed-run', {
  takes: CLAIM,
  gives: {
    ...RUN,
    loss: 'text?',
    stop: 'text?',
    cap: 'text?',
    mayClaim: 'bool',
    lacksMonth: 'bool',
  },
  sql: (p) => `
    SELECT * FROM (
      SELECT ${select(RUN, 'r')},
        CASE WHEN ${isExpiredSql('r', p.takeOverAfterMs)} THEN ${lossSql} END AS loss,
        CASE WHEN ${isForTakerSql('a', p)} AND ${isDueSql} THEN budget.stop END AS stop,
        CASE WHEN ${isForTakerSql('a', p)} AND ${isDueSql} AND ${isAtWorkSql('a', 'c')}
          THEN (SELECT code FROM ${cappedSql} ORDER BY place LIMIT 1) END AS cap,
        ${mayClaimSql(p)} AS "mayClaim", ${lacksMonthSql('c')} AS "lacksMonth"
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
        CROSS JOIN ${budgetSql}
      WHERE r.id = ${p.runId}
    ) found WHERE loss IS NOT NULL OR stop IS NOT NULL OR cap IS NOT NULL OR "mayClaim"`,
});
