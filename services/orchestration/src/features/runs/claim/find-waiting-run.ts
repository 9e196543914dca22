import { ask, type Database, statement } from '@switchyard/db';
import { isExternalSql } from '../../../state/agents/run-transitions';
import type { WaitingRun } from '../../../state/runs/claim-run';

/**
 * What to claim next: a run that the hint named and whose worker is gone, because what has begun goes before what waits;
 * else of the companies with waiting runs the one that has the fewest running: its next run, if any may start.
 */
export async function findNextRun(
  db: Database,
  wanted: {
    hintedId: string | null;
    /** Companies that have their share of this worker. */
    notOf: string[];
    /** Runs that have a place here. */
    running: string[];
    tried: string[];
    maxRunning: number;
  },
): Promise<WaitingRun | null> {
  const [found] = await ask(db, findWaiting, wanted);
  return found ?? null;
}

/**
 * The companies with waiting runs are found by leaps through one index, each with its first run that may start: the cost
 * grows with the companies that wait, never with their runs nor with those that ended. Of a company the run that a hint
 * named comes first, so that workers do not all reach for the same one. It is read apart, by its key: beside the others it
 * would be looked for among all that wait.
 */
export const findWaiting = statement('find-waiting-run', {
  takes: {
    hintedId: 'uuid?',
    notOf: 'uuid[]',
    running: 'uuid[]',
    tried: 'uuid[]',
    maxRunning: 'int',
  },
  gives: { id: 'uuid', companyId: 'uuid', agentId: 'uuid' },
  sql: (p) => `
    WITH RECURSIVE hinted AS MATERIALIZED (
      SELECT r.id, r.company_id, r.agent_id, r.status, r.not_before, r.created_at,
        r.status = 'running' AND r.lease_expires_at < clock_timestamp() AS is_abandoned,
        (SELECT count(*) FROM heartbeat_run o
          WHERE o.agent_id = r.agent_id AND o.status = 'running') < a.max_concurrent_runs
          AND NOT ${isExternalSql('a')} AS may_start
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
      WHERE r.id = ${p.hintedId} AND r.id <> ALL (${p.tried})
    ), waiting AS (
      (SELECT company_id FROM heartbeat_run WHERE status = 'queued' ORDER BY company_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.company_id FROM heartbeat_run r
        WHERE r.status = 'queued' AND r.company_id > w.company_id ORDER BY r.company_id LIMIT 1)
      FROM waiting w WHERE w.company_id IS NOT NULL
    ), next_waiting AS (
      SELECT next.id, w.company_id, next.agent_id
      FROM waiting w
      CROSS JOIN LATERAL (
        SELECT count(*) AS runs FROM heartbeat_run o
        WHERE o.company_id = w.company_id AND o.status = 'running'
      ) busy
      CROSS JOIN LATERAL (
        (SELECT r.id, r.agent_id, r.created_at, false AS is_other FROM hinted r
        WHERE r.company_id = w.company_id AND r.status = 'queued' AND r.may_start
          AND coalesce(r.not_before, '-infinity') <= now() AND r.id <> ALL (${p.running}))
        UNION ALL
        (SELECT r.id, r.agent_id, r.created_at, true FROM heartbeat_run r
          JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
        WHERE r.company_id = w.company_id AND r.status = 'queued'
          AND coalesce(r.not_before, '-infinity') <= now()
          AND r.id <> ALL (${p.running}) AND r.id <> ALL (${p.tried})
          AND c.status = 'active' AND a.status IN ('idle', 'running', 'error')
          AND NOT ${isExternalSql('a')}
          AND (SELECT count(*) FROM heartbeat_run o
            WHERE o.agent_id = r.agent_id AND o.status = 'running') < a.max_concurrent_runs
        ORDER BY coalesce(r.not_before, '-infinity'), r.created_at LIMIT 1)
        ORDER BY is_other LIMIT 1
      ) next
      WHERE w.company_id <> ALL (${p.notOf})
        AND (${p.maxRunning} = 0 OR busy.runs < ${p.maxRunning})
      ORDER BY busy.runs, next.is_other, next.created_at
      LIMIT 1
    )
    SELECT id, company_id AS "companyId", agent_id AS "agentId" FROM (
      SELECT id, company_id, agent_id, 0 AS place FROM hinted WHERE is_abandoned
      UNION ALL SELECT id, company_id, agent_id, 1 FROM next_waiting
    ) found ORDER BY place LIMIT 1`,
});
