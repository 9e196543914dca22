import { ask, type Database, statement } from '@switchyard/db';

/** Takes firings that no worker has in hand, to have workers told of them again. */
export async function rehintFirings(db: Database, batch: number): Promise<string[]> {
  const rows = await ask(db, pendingFirings, { batch });
  return rows.map(({ id }) => id);
}

const pendingFirings = statement('sweep-firings', {
  takes: { batch: 'int' },
  gives: { id: 'uuid' },
  sql: ({ batch }) => `
    UPDATE routine_run SET hinted_at = now() WHERE id IN (
      SELECT id FROM routine_run
      WHERE status = 'pending' AND coalesce(hinted_at, created_at) < now() - interval '2 seconds'
      ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
});
