import { decimal } from '../../decimal';
import { ExchangeFailure } from '../failure';
import type { FundingRate, Perpetuals } from '../perpetuals';
import { hash, smooth } from './noise';
import { type PricePath, SIMULATED_MARKETS } from './price-path';

const HOUR = 3_600_000;
const FUNDING_MS = 8 * HOUR;

export function createSimulatedPerpetuals(options: {
  seed: number;
  now(): number;
  pathOf(symbol: string): PricePath;
}): Perpetuals {
  const { seed, now, pathOf } = options;
  const rateOf = (symbol: string): FundingRate => {
    const [spot = '', settled] = symbol.split(':');
    if (settled !== spot.split('/')[1] || !Object.hasOwn(SIMULATED_MARKETS, spot)) {
      throw new ExchangeFailure(
        'bad_symbol',
        symbol,
        'the simulated exchange does not list this symbol',
      );
    }
    const price = decimal(pathOf(spot)(now()).toFixed(8));
    const wave = smooth(hash(symbol, seed), now() / HOUR, 48);
    return {
      symbol,
      rate: (0.0001 + 0.0002 * wave).toFixed(8),
      markPrice: price.toFixed(),
      indexPrice: price.toFixed(),
      time: now(),
      paidAt: (Math.floor(now() / FUNDING_MS) + 1) * FUNDING_MS,
    };
  };
  return {
    fundingRates: async (symbols) => readEach(symbols, rateOf),
    account: async () => ({ positions: [], balances: {}, isProfitApart: false }),
    fundingPayments: async () => ({ payments: [], failures: [], until: now() }),
  };
}

export function readEach<Read>(
  symbols: readonly string[],
  read: (symbol: string) => Read,
): Map<string, Read | ExchangeFailure> {
  const found = symbols.map((symbol): [string, Read | ExchangeFailure] => {
    try {
      return [symbol, read(symbol)];
    } catch (error) {
      return [symbol, error as ExchangeFailure];
    }
  });
  return new Map(found);
}
