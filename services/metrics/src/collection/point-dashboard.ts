import type { MetricsReader } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { Resources } from '../resources';
import type { Claim } from './claim-collection';
import type { Components } from './collect-contract';

/**
 * Points the dashboard at this collection unless a newer one is there already. It is part of the collection's
 * transaction, behind a savepoint: its failure is logged and costs the collection nothing.
 */
export async function pointDashboard(
  tx: MetricsReader,
  { exchange, logger }: Resources,
  claim: Claim,
  shown: { components: Components; accounts?: unknown },
): Promise<boolean> {
  const { name, simulated } = exchange;
  const state = JSON.stringify({ ...shown, exchange: name, simulated });
  await tx.$executeRawUnsafe('SAVEPOINT dashboard');
  try {
    await tx.$executeRawUnsafe("SET LOCAL lock_timeout = '1s'");
    const written = await tx.$executeRaw`
      INSERT INTO dashboard_state (id, collection_id, captured_at, state)
      VALUES (1, ${claim.collectionId}, ${claim.capturedAt}, ${state}::jsonb)
      ON CONFLICT (id) DO UPDATE SET
        collection_id = excluded.collection_id,
        captured_at = excluded.captured_at,
        state = excluded.state
      WHERE dashboard_state.captured_at <= excluded.captured_at`;
    await tx.$executeRawUnsafe('RELEASE SAVEPOINT dashboard');
    return written === 1;
  } catch (error) {
    await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT dashboard');
    logger.warn('the dashboard was not updated', errorFields(error));
    return false;
  }
}
