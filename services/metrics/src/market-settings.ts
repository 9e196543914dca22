import { commaSeparated, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const milliseconds = wholeNumber(10, 300_000);
const SYMBOL = /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/;
const PERPETUAL = /^[A-Z0-9]{1,20}\/([A-Z0-9]{1,20}):\1$/;

/** Which markets are asked for, and how long one call may take. */
export const marketEnvironment = {
  METRICS_SYMBOLS: commaSeparated
    .pipe(z.array(z.string().regex(SYMBOL, 'must be symbols like BTC/USDT')).min(1).max(200))
    .default(['BTC/USDT', 'ETH/USDT', 'SOL/USDT'])
    .describe('markets that are collected, like BTC/USDT, separated by commas'),
  METRICS_PERPETUALS: commaSeparated
    .pipe(
      z
        .array(
          z
            .string()
            .regex(PERPETUAL, 'must be perpetuals like BTC/USDT:USDT, settled in their quote'),
        )
        .max(200),
    )
    .default([])
    .describe(
      'perpetuals whose funding and positions are collected, like BTC/USDT:USDT; of binance, bybit and okx',
    ),
  METRICS_CALL_TIMEOUT_MS: milliseconds
    .default(8_000)
    .describe('milliseconds that one call to the exchange may take'),
};
