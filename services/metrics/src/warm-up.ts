import { withTimeout } from '@switchyard/async';
import { COLLECTED_TIMEFRAME } from './candles/timeframe';
import type { Context } from './context';
import { BALANCE } from './kinds/balance/balance';
import { MARKET } from './kinds/market/market';
import { POSITION } from './kinds/position/position';
import { REGIME } from './kinds/regime/regime';
import type { Resources } from './resources';

/** In ms. Limits how long a slow exchange or database delays the start. */
const LONGEST_MS = 3_000;

const SYMBOLS = 3;

/**
 * Performs the reads of a collection without storing anything, so that the first collection finds
 * open connections, the loaded library, compiled code, and the candles of the first symbols. Never
 * throws; the first collection reports any problem.
 */
export async function warmUp({ accounts, collector }: Context): Promise<void> {
  const gather = async (account: Resources) => {
    const { config, exchange } = account;
    if (config.exchangeProblem !== null) return;
    await exchange.markets(config.symbols, AbortSignal.timeout(LONGEST_MS));
    const symbols = config.symbols.slice(0, SYMBOLS);
    const kinds = [MARKET, POSITION, BALANCE, REGIME];
    const wanted = { kinds, symbols, timeframe: COLLECTED_TIMEFRAME };
    collector.keepCandles(await collector.gather(wanted, account), account);
  };
  await withTimeout(Promise.allSettled(accounts.map(gather)), LONGEST_MS).catch(() => undefined);
}
