import { commaSeparated, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

const SYMBOL = /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/;
const PERPETUAL = /^[A-Z0-9]{1,20}\/([A-Z0-9]{1,20}):\1$/;

export const marketEnvironment = {
  METRICS_SYMBOLS: commaSeparated
    .pipe(z.array(z.string().regex(SYMBOL, 'must be symbols such as BTC/USDT')).min(1).max(200))
    .default(['BTC/USDT', 'ETH/USDT', 'SOL/USDT'])
    .describe('collected markets, like BTC/USDT, separated by commas'),
  METRICS_PERPETUALS: commaSeparated
    .pipe(
      z
        .array(
          z
            .string()
            .regex(
              PERPETUAL,
              'must be perpetuals such as BTC/USDT:USDT, which settle in their quote asset',
            ),
        )
        .max(200),
    )
    .default([])
    .describe(
      'perpetuals whose funding and positions are collected, like BTC/USDT:USDT (binance, bybit, okx)',
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
