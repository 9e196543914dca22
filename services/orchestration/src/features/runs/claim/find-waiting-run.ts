import { anySql, ask, type RowOf, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';
import { isAtWorkSql } from '../../../state/agents/may-start';
import type { WaitingRun } from '../../../state/runs/claim-run';
import {
  claimOrderSql,
  hasRoomSql,
  isReadySql,
  startsBySql,
} from '../../../state/runs/claims/claim-order';
import { isLimitedSql } from '../../../state/runs/claims/run-limits';
import {
  isExpiredSql,
  isForTakerSql,
  TAKER,
  type Taker,
  takeOverAfterMs,
  takerValues,
} from '../../../state/runs/claims/takers';

/**
 * Returns lost runs first, because they have already started; otherwise a startable run of the
 * company that is next (`CompanyTurn`).
 */
export async function findNextRun(
  context: Context,
  wanted: {
    taker: Taker;
    hintedId: string | null;
    notOf: string[];
    running: string[];
    tried: string[];
  },
): Promise<NextRun | null> {
  const { taker, ...rest } = wanted;
  const [found] = await ask(context.db, findWaiting, {
    ...rest,
    ...takerValues(context, taker),
    takeOverAfterMs: takeOverAfterMs(context),
    maxRunning: context.config.maxRunningRunsPerCompany,
  });
  return found ?? null;
}

/**
 * If `isForTaker` is false, the caller may only end the run. `mayBeMore` is false if no other run
 * is waiting; `mayBeOther` is false if no other company that is below its share has a waiting run.
 */
export type NextRun = WaitingRun &
  Pick<RowOf<typeof findWaiting>, 'isForTaker' | 'mayBeMore' | 'mayBeOther' | 'turn'>;

/**
 * Uses a loose index scan, so the cost grows with the number of waiting companies, not of runs.
 * Reads the hinted run by its key, and starts it up to ten seconds ahead of its order, so that
 * concurrent workers take different runs of a burst. A company that was idle is placed at most one
 * turn behind the others, so it gets no extra starts for its idle time.
 */
export const findWaiting = statement('find-waiting-run', {
  takes: {
    hintedId: 'uuid?',
    notOf: 'uuid[]',
    running: 'uuid[]',
    tried: 'uuid[]',
    maxRunning: 'int',
    ...TAKER,
    takeOverAfterMs: 'int?',
  },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    isForTaker: 'bool',
    mayBeMore: 'bool',
    mayBeOther: 'bool',
    turn: 'float?',
  },
  onePlan: true,
  sql: (p) => `
    WITH RECURSIVE hinted AS MATERIALIZED (
      SELECT r.id, r.company_id, r.agent_id, r.status, r.not_before,
        ${startsBySql('r')} - interval '10 seconds' AS starts_by,
        ${isExpiredSql('r', p.takeOverAfterMs)} AS is_abandoned, ${isForTakerSql('a', p)} AS is_for_taker,
        ${hasRoomSql('a')} AND ${isForTakerSql('a', p)} AND NOT ${isLimitedSql('a', 'a.company_id')} AS may_start
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
      WHERE r.id = ${p.hintedId} AND r.id <> ALL (${p.tried})
    ), lost AS MATERIALIZED (
      SELECT r.id, r.company_id, r.agent_id
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
      WHERE ${p.taker} = 'runner' AND r.lease_expires_at < now()
        AND ${isExpiredSql('r', p.takeOverAfterMs)} AND ${isForTakerSql('a', p)} AND r.id <> ALL (${p.tried}) AND r.company_id <> ALL (${p.notOf})
      ORDER BY r.lease_expires_at LIMIT 1
    ), waiting AS (
      (SELECT company_id FROM heartbeat_run WHERE status = 'queued' ORDER BY company_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.company_id FROM heartbeat_run r
        WHERE r.status = 'queued' AND r.company_id > w.company_id ORDER BY r.company_id LIMIT 1)
      FROM waiting w WHERE w.company_id IS NOT NULL
    ), next_waiting AS (
      SELECT next.id, w.company_id, next.agent_id, next.starts_by, busy.runs,
        greatest(t.turn, max(t.turn) OVER () - 1, 0) AS turn
      FROM waiting w LEFT JOIN company_turn t ON t.company_id = w.company_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS runs, full_keys(w.company_id) AS keys FROM heartbeat_run o
        WHERE o.company_id = w.company_id AND o.status = 'running'
      ) busy
      CROSS JOIN LATERAL (
        (SELECT r.id, r.agent_id, r.starts_by FROM hinted r
        WHERE r.company_id = w.company_id AND r.status = 'queued' AND r.may_start
          AND ${isReadySql('r')} AND r.id <> ALL (${p.running}))
        UNION ALL
        (SELECT r.id, r.agent_id, ${startsBySql('r')} FROM heartbeat_run r
          JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
        WHERE r.company_id = w.company_id AND r.status = 'queued'
          AND ${isReadySql('r')}
          AND r.id <> ALL (${p.running}) AND r.id <> ALL (${p.tried})
          AND ${isAtWorkSql('a', 'c')} AND ${isForTakerSql('a', p)} AND ${hasRoomSql('a')}
          AND (busy.keys = '{}' OR NOT run_keys(a) && busy.keys)
        ORDER BY ${claimOrderSql('r')} LIMIT 1)
        ORDER BY starts_by LIMIT 1
      ) next
      WHERE w.company_id <> ALL (${p.notOf})
        AND (${p.ofCompany} IS NULL OR w.company_id = ${p.ofCompany})
        AND (${p.maxRunning} = 0 OR busy.runs < ${p.maxRunning})
    )
    SELECT id, company_id AS "companyId", agent_id AS "agentId", is_for_taker AS "isForTaker",
      place < 2 OR ${anySql({
        from: 'heartbeat_run r',
        where: `r.status = 'queued' AND r.id <> found.id AND ${isReadySql('r')}`,
        order: 'r.company_id',
      })} AS "mayBeMore",
      place < 2 OR EXISTS (SELECT FROM waiting w WHERE w.company_id <> found.company_id
        AND w.company_id <> ALL (${p.notOf})) AS "mayBeOther", turn
    FROM (
      SELECT id, company_id, agent_id, is_for_taker, 0 AS place, NULL::float AS turn FROM hinted WHERE is_abandoned
      UNION ALL SELECT id, company_id, agent_id, true, 1, NULL FROM lost
      UNION ALL (SELECT id, company_id, agent_id, true, 2, turn FROM next_waiting
        ORDER BY turn, runs, starts_by LIMIT 1)
    ) found ORDER BY place LIMIT 1`,
});
