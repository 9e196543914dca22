import type { Database } from '@switchyard/db';

/** Failures in a row after which a trigger is marked with the reason. */
export const FAILURES_BEFORE_MARK = 5;

/** Notes on a trigger how its firing went; it may have been deleted meanwhile. */
export async function settleTrigger(
  db: Database,
  triggerId: string,
  failure: string | null,
): Promise<void> {
  if (failure === null) {
    await db.prisma.$executeRaw`
      UPDATE routine_trigger SET last_fired_at = clock_timestamp(), failure_count = 0,
        failure_reason = NULL WHERE id = ${triggerId}::uuid`;
    return;
  }
  await db.prisma.$executeRaw`
    UPDATE routine_trigger SET last_fired_at = clock_timestamp(), failure_count = failure_count + 1,
      failure_reason = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN ${failure} END
    WHERE id = ${triggerId}::uuid`;
}
