import type { Resources } from '../resources';

export async function sweepOrphans({ db, logger }: Resources): Promise<number> {
  const { rowCount } = await db.pool.query(
    `UPDATE collection SET status = 'error', storage_status = 'failed', finished_at = now(),
       lease_until = NULL, error = 'the process ended during the collection'
     WHERE status = 'running' AND lease_until < now()`,
  );
  if (rowCount) logger.warn('closed collections of a process that has ended', { count: rowCount });
  return rowCount ?? 0;
}
