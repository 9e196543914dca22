import type { Database } from '@switchyard/db';

/** What expiry is compared with: the clock that wrote it. */
export async function databaseNow(db: Database): Promise<Date> {
  const [row] = await db.rows<{ now: Date }>('read-clock', 'SELECT now() AS now', []);
  return row?.now as Date;
}
