import type { Database } from '@switchyard/db';

/**
 * The companies with waiting runs are found by leaps through one index, each with its first run that may
 * start: the cost grows with the companies that wait, never with their runs nor with those that ended.
 * Of a company the run that a hint named comes first, so that workers do not all reach for the same one;
 * whether it may start is for the claim to say. It is read apart, by its key: beside the others it would
 * be looked for among all that wait.
 */
export const FIND_WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT company_id FROM heartbeat_run WHERE status = 'queued' ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.company_id FROM heartbeat_run r
      WHERE r.status = 'queued' AND r.company_id > w.company_id ORDER BY r.company_id LIMIT 1)
    FROM waiting w WHERE w.company_id IS NOT NULL
  ), hinted AS MATERIALIZED (
    SELECT id, company_id, status, not_before, created_at FROM heartbeat_run WHERE id = $1::uuid
  )
  SELECT next.id, w.company_id AS "companyId"
  FROM waiting w
  CROSS JOIN LATERAL (
    SELECT count(*) AS runs FROM heartbeat_run o
    WHERE o.company_id = w.company_id AND o.status = 'running'
  ) busy
  CROSS JOIN LATERAL (
    (SELECT r.id, r.created_at, false AS is_other FROM hinted r
    WHERE r.company_id = w.company_id AND r.status = 'queued'
      AND coalesce(r.not_before, '-infinity') <= now() AND r.id <> ALL ($3::uuid[]))
    UNION ALL
    (SELECT r.id, r.created_at, true FROM heartbeat_run r
      JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
    WHERE r.company_id = w.company_id AND r.status = 'queued'
      AND coalesce(r.not_before, '-infinity') <= now() AND r.id <> ALL ($3::uuid[])
      AND c.status = 'active' AND a.status IN ('idle', 'running', 'error')
      AND (SELECT count(*) FROM heartbeat_run o
        WHERE o.agent_id = r.agent_id AND o.status = 'running') < a.max_concurrent_runs
    ORDER BY coalesce(r.not_before, '-infinity'), r.created_at LIMIT 1)
    ORDER BY is_other LIMIT 1
  ) next
  WHERE w.company_id <> ALL ($2::uuid[]) AND ($4 = 0 OR busy.runs < $4)
  ORDER BY busy.runs, next.is_other, next.created_at
  LIMIT 1`;

export interface WaitingRun {
  id: string;
  companyId: string;
}

/** Of the companies with waiting runs, the one that has the fewest running: its next run, if any may start. */
export async function findWaitingRun(
  db: Database,
  wanted: { hintedId: string | null; notOf: string[]; not: string[]; maxRunning: number },
): Promise<WaitingRun | null> {
  const { hintedId, notOf, not, maxRunning } = wanted;
  const values = [hintedId, notOf, not, maxRunning];
  const [found] = await db.rows<WaitingRun>('find-waiting-run', FIND_WAITING, values);
  return found ?? null;
}
