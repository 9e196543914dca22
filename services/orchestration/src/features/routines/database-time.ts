import type { Reader } from '@switchyard/db';

/** The time by the database clock, which is the one that schedules keep. */
export async function databaseTime(db: Reader): Promise<number> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return (row as { now: Date }).now.getTime();
}
