import { withTimeout } from '@switchyard/async';
import { COLLECTED_TIMEFRAME } from './candles/timeframe';
import type { Context } from './context';
import { BALANCE } from './kinds/balance/balance';
import { MARKET } from './kinds/market/market';
import { POSITION } from './kinds/position/position';
import { REGIME } from './kinds/regime/regime';
import type { Resources } from './resources';

/** A slow exchange or database delays the start by at most this. */
const LONGEST_MS = 3_000;

const SYMBOLS = 3;

/**
 * Asks once for what collections ask for and stores nothing, so that the first one waits neither for connections, nor for the
 * exchange's library with its markets, nor for code that never ran, and has the candles of the first symbols. It never throws:
 * the first collection says what is wrong.
 */
export async function warmUp({ accounts, collector }: Context): Promise<void> {
  const gather = async (account: Resources) => {
    const { config, exchange } = account;
    if (config.exchangeProblem !== null) return;
    await exchange.markets(config.symbols, AbortSignal.timeout(LONGEST_MS));
    const symbols = config.symbols.slice(0, SYMBOLS);
    // A balance has no value without the positions.
    const kinds = [MARKET, POSITION, BALANCE, REGIME];
    const wanted = { kinds, symbols, timeframe: COLLECTED_TIMEFRAME };
    collector.keepCandles(await collector.gather(wanted, account), account);
  };
  await withTimeout(Promise.allSettled(accounts.map(gather)), LONGEST_MS).catch(() => undefined);
}
