import type { Database } from '@switchyard/db';

/** The time by the database clock, which is the one that schedules keep. */
export async function databaseTime(db: Database): Promise<number> {
  const [row] = await db.prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return (row as { now: Date }).now.getTime();
}
