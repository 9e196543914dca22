import { until } from '@switchyard/testing';
import { OLDEST_OPEN_TRANSACTION } from '../src/features/events/oldest-open-transaction';
import type { Harness } from './harness';

/**
 * Waits until a stream that begins now sends nothing of what a company has done so far. Transactions of other test files in
 * the same server may hold its beginning back for a moment, which repeats events and loses none.
 */
export async function untilPast({ context }: Pick<Harness, 'context'>, companyId: string) {
  await until('earlier transactions to end', async () => {
    const { rows } = await context.db.pool.query<{ isPast: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM activity WHERE company_id = $1 AND transaction_id >= open.xid) AS "isPast"
       FROM (${OLDEST_OPEN_TRANSACTION}) open`,
      [companyId],
    );
    return rows[0]?.isPast ?? false;
  });
}
