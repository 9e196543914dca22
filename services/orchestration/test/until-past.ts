import { until } from '@switchyard/testing';
import type { Harness } from './harness';

/**
 * Waits until every transaction of the server, in any database, that began before the company's
 * last one has ended. A stream that starts afterwards sends no earlier event of the company.
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
