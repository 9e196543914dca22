import { anySql, ask, statement } from '@switchyard/db';
import type { Context } from '../kernel/context';
import { IDEMPOTENCY_HOURS } from './idempotency';

const BATCH = 500;

const OVER = {
  from: 'idempotency_record',
  where: `created_at < now() - interval '${IDEMPOTENCY_HOURS} hours'`,
  order: 'created_at',
};

export const hasAnswersOverSql = anySql(OVER);

export async function sweepIdempotency(context: Pick<Context, 'db'>): Promise<void> {
  await ask(context.db, forgetRecords, {});
}

const forgetRecords = statement('forget-idempotency-records', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM ${OVER.from} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${OVER.from} WHERE ${OVER.where} LIMIT ${BATCH}))`,
});
