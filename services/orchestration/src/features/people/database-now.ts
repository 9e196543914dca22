import { ask, type Database, statement } from '@switchyard/db';

/** The time that expiry is written and compared with, on every replica. */
export async function databaseNow(db: Database): Promise<Date> {
  const [row] = await ask(db, readClock, {});
  return new Date(row?.now as string);
}

const readClock = statement('read-clock', {
  takes: {},
  gives: { now: 'time' },
  sql: () => 'SELECT now() AS now',
});
