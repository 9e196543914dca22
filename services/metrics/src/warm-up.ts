import { withTimeout } from '@switchyard/async';
import type { Resources } from './resources';

/** A sick exchange or database holds nobody up for longer. */
const LONGEST_MS = 3_000;

/**
 * Loads what the first collection would wait for: the database's client, and the exchange's library with its markets.
 * It never throws: the first collection says what is wrong.
 */
export async function warmUp({ config, db, exchange }: Resources): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const parts = [
    db.client.collection.findFirst({ select: { id: true } }),
    exchange.markets(config.symbols, signal),
  ];
  await withTimeout(Promise.allSettled(parts), LONGEST_MS).catch(() => undefined);
}
