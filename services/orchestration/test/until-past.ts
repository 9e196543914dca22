import { until } from '@switchyard/testing';
import type { Harness } from './harness';

/**
 * Waits until a stream that starts now sends no earlier event of the company. Every transaction of
 * the server that began before the company's last one must have ended. Transactions of other
 * databases count too, because an ending one may look like one of this database
 * (`oldest-open-transaction.ts`), which would repeat events.
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
