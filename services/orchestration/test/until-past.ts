import { until } from '@switchyard/testing';
import type { Harness } from './harness';

/**
 * Waits until a stream that begins now sends nothing of what a company has done so far: until every transaction of the whole
 * server that began before the company's last one is over. Other databases count too: a stream may take a transaction of
 * another test file for its own while it ends (`oldest-open-transaction.ts`), which repeats events and loses none.
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
