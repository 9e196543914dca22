import type { Sql } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { Resources } from '../resources';
import type { Claim } from './claim-collection';
import type { Components } from './collect-contract';

/**
 * Shows this collection on the dashboard unless the dashboard shows a newer one. Runs in a
 * savepoint of the collection's transaction, so that a failure is only logged.
 */
export async function pointDashboard(
  tx: Sql,
  { exchange, logger }: Resources,
  claim: Claim,
  shown: { components: Components; accounts?: unknown },
): Promise<boolean> {
  const { name, simulated } = exchange;
  const state = JSON.stringify({ ...shown, exchange: name, simulated });
  await tx.query('SAVEPOINT dashboard');
  try {
    await tx.query("SET LOCAL lock_timeout = '1s'");
    const { rowCount } = await tx.query(
      `INSERT INTO dashboard_state (id, collection_id, captured_at, state)
       VALUES (1, $1, $2, $3::jsonb)
       ON CONFLICT (id) DO UPDATE SET
         collection_id = excluded.collection_id,
         captured_at = excluded.captured_at,
         state = excluded.state
       WHERE dashboard_state.captured_at <= excluded.captured_at`,
      [claim.collectionId, claim.capturedAt, state],
    );
    await tx.query('RELEASE SAVEPOINT dashboard');
    return rowCount === 1;
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT dashboard');
    logger.warn('the dashboard was not updated', errorFields(error));
    return false;
  }
}
