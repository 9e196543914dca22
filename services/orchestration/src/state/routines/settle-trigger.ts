import { ask, statement, type Transaction } from '@switchyard/db';

/** Failures in a row after which a trigger is marked with the reason. */
export const FAILURES_BEFORE_MARK = 5;

/** Notes on a trigger that a firing of it was given up. */
export async function recordTriggerFailure(
  tx: Transaction,
  triggerId: string,
  failure: string,
): Promise<void> {
  await ask(tx, triggerFailure, { triggerId, failure });
}

/** How a trigger is changed by a firing; `failure` is SQL, null for a firing that went well. */
export const settleTrigger = (triggerId: string, failure: string) => `
  UPDATE routine_trigger SET last_fired_at = clock_timestamp(),
    failure_count = CASE WHEN ${failure} IS NULL THEN 0 ELSE failure_count + 1 END,
    failure_reason = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN ${failure} END
  WHERE id = ${triggerId}`;

const triggerFailure = statement('record-trigger-failure', {
  takes: { triggerId: 'uuid', failure: 'text' },
  gives: {},
  sql: ({ triggerId, failure }) => settleTrigger(triggerId, failure),
});
