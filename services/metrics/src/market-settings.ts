import { commaSeparated, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

const MARKET = /^[A-Z0-9]{1,20}\/([A-Z0-9]{1,20})(?::\1)?$/;

const isPerpetual = (market: string) => market.includes(':');

export const marketEnvironment = {
  METRICS_SYMBOLS: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .regex(
            MARKET,
            'must be symbols such as BTC/USDT, or perpetuals such as BTC/USDT:USDT, which settle in their quote asset',
          ),
      ),
    )
    .transform((listed) => {
      const markets = [...new Set(listed)];
      const symbols = markets.filter((market) => !isPerpetual(market));
      return { symbols, perpetuals: markets.filter(isPerpetual) };
    })
    .refine(
      ({ symbols, perpetuals }) =>
        symbols.length > 0 && symbols.length <= 200 && perpetuals.length <= 200,
      'must contain 1 to 200 symbols such as BTC/USDT, and at most 200 perpetuals',
    )
    .prefault('BTC/USDT,ETH/USDT,SOL/USDT')
    .describe(
      'collected markets, like BTC/USDT, separated by commas; perpetuals, like BTC/USDT:USDT, add funding and positions (binance, bybit, okx)',
    ),
  METRICS_COLLECTION_TIMEOUT_MS: wholeNumber(1_000, 300_000)
    .default(25_000)
    .describe(
      'time limit of a collection in ms; a component may take three fifths of it, a call a third',
    ),
};

export const timeoutsOf = ({
  METRICS_COLLECTION_TIMEOUT_MS: collectionTimeoutMs,
}: {
  METRICS_COLLECTION_TIMEOUT_MS: number;
}) => ({
  collectionTimeoutMs,
  componentTimeoutMs: Math.round(collectionTimeoutMs * 0.6),
  callTimeoutMs: Math.round(collectionTimeoutMs * 0.32),
});
