import { anySql, ask, statement } from '@switchyard/db';
import type { Context } from '../context';
import { IDEMPOTENCY_HOURS } from './idempotency';

const BATCH = 500;

const OVER = {
  from: 'idempotency_record',
  where: `created_at < now() - interval '${IDEMPOTENCY_HOURS} hours'`,
  order: 'created_at',
};

/** SQL: whether there are answers whose time is over. */
export const hasAnswersOverSql = anySql(OVER);

/** Forgets answers whose time is over, in batches that no request waits for. */
export async function sweepIdempotency(context: Pick<Context, 'db'>): Promise<void> {
  await ask(context.db, forgetRecords, {});
}

const forgetRecords = statement('forget-idempotency-records', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM ${OVER.from} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${OVER.from} WHERE ${OVER.where} LIMIT ${BATCH}))`,
});
