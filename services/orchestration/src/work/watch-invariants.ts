import { type Loop, repeat } from '@switchyard/async';
import type { Pool } from '@switchyard/db';
import type { Context } from '../kernel/context';
import { checkInvariant, type Invariant, readInvariants } from '../observability/check-invariants';
import { guarded } from './sweeps';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
/** In ms. Longer than other statements may take, because some queries read a month's costs. */
const QUERY_MS = 300_000;

/**
 * Checks the invariants of the database each hour. Reports a violation and repairs nothing, because
 * a repair could hide its cause.
 */
export function watchInvariants(context: Context): Loop {
  return repeat(
    async (closing) => {
      await reportInvariants(context, () => closing.aborted);
      return HOUR_MS;
    },
    { firstMs: FIRST_MS },
  );
}

export async function reportInvariants(
  context: Pick<Context, 'db' | 'logger' | 'metrics'>,
  isOver = () => false,
): Promise<void> {
  for (const invariant of readInvariants()) {
    if (isOver()) return;
    await guarded(context, invariant.name, () => report(context, invariant), QUERY_MS);
  }
}

async function report(
  { db, logger, metrics }: Pick<Context, 'db' | 'logger' | 'metrics'>,
  invariant: Invariant,
): Promise<void> {
  const { name } = invariant;
  const { violations, examples } = await checkPatiently(db.pool, invariant);
  metrics.invariantViolations.set({ invariant: name }, violations);
  if (violations === 0) return;
  logger.error('an invariant is violated', { invariant: name, violations, examples });
}

async function checkPatiently(pool: Pool, invariant: Invariant) {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${QUERY_MS}`);
    const found = await checkInvariant(client, invariant);
    await client.query('COMMIT');
    return found;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure !== undefined);
  }
}
