import { ask, statement, type Transaction } from '@switchyard/db';

export const FAILURES_BEFORE_MARK = 5;

export async function recordTriggerFailure(
  tx: Transaction,
  triggerId: string,
  failure: string,
): Promise<void> {
  await ask(tx, triggerFailure, { triggerId, failure });
}

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
