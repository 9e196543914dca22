import { ask, statement } from '@switchyard/db';
import type { Context } from '../context';
import { IDEMPOTENCY_HOURS } from './idempotency';

const BATCH = 500;

/** SQL: whether there are answers whose time is over. */
export const hasForgettableAnswers = `coalesce(
  (SELECT min(created_at) FROM idempotency_record) < now() - interval '${IDEMPOTENCY_HOURS} hours', false)`;

/** Forgets answers whose time is over, in batches that no request waits for. */
export async function sweepIdempotency(context: Pick<Context, 'db'>): Promise<void> {
  await ask(context.db, forgetRecords, {});
}

const forgetRecords = statement('forget-idempotency-records', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM idempotency_record WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_record
    WHERE created_at < now() - interval '${IDEMPOTENCY_HOURS} hours' LIMIT ${BATCH}))`,
});
