import { until } from '@switchyard/testing';
import type { Harness } from './harness';

/**
 * Waits until a stream that starts now sends no earlier event of the company: until every
 * transaction of the whole server that began before the company's last transaction has ended.
 * Transactions of other databases count too, because one that is ending may look like one of this
 * database (`oldest-open-transaction.ts`); this repeats events but loses no event.
 */
export async function untilPast({ context }: Pick<Harness, 'context'>, companyId: string) {
  await until('earlier transactions to end', async () => {
    const { rows } = await context.db.pool.query<{ isPast: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM activity
         WHERE company_id = $1 AND transaction_id >= pg_snapshot_xmin(pg_current_snapshot())) AS "isPast"`,
      [companyId],
    );
    return rows[0]?.isPast ?? false;
  });
}
