import { ask, type Database, statement } from '@switchyard/db';

/**
 * Returns the database time as Unix time in ms. Schedules and expiry times are compared with it.
 */
export async function databaseTime(db: Database): Promise<number> {
  const [row] = await ask(db, readClock, {});
  return Date.parse((row as { now: string }).now);
}

const readClock = statement('read-clock', {
  takes: {},
  gives: { now: 'time' },
  sql: () => 'SELECT clock_timestamp() AS now',
});
