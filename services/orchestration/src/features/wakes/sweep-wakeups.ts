import type { Context } from '../../context';

const BATCH = 500;

const WAITING = `
  UPDATE agent_wakeup SET hinted_at = now() WHERE id IN (
    SELECT id FROM agent_wakeup
    WHERE status = 'pending' AND coalesce(hinted_at, created_at) < now() - interval '2 seconds'
    ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/** Repeats the hint for wakes that wait without one, e.g. after Redis was emptied. */
export async function sweepWakeups(context: Pick<Context, 'db' | 'hints'>): Promise<number> {
  const rows = await context.db.rows<{ id: string }>('sweep-wakeups', WAITING, []);
  for (const row of rows) await context.hints.hint('mention-wakeups', { wakeupId: row.id });
  return rows.length;
}
