import { MetricsPrisma } from '@switchyard/db';
import type { Quote } from '../../exchange/read-ticker';
import type { Storing } from '../kind';

/** Each quote with the last closed candle of its symbol. */
export async function storeMarkets(
  { tx, common, candles }: Storing,
  seen: readonly Quote[],
): Promise<string[]> {
  const last = new Map(
    candles.flatMap(({ symbol, timeframe, closed }) => {
      const candle = closed.at(-1);
      if (!candle) return [];
      const { openTime, ...prices } = candle;
      return [[symbol, { timeframe, open_time: new Date(openTime).toISOString(), ...prices }]];
    }),
  );
  const data = seen.map((row) => ({
    ...common,
    ...row,
    candle: last.get(row.symbol) ?? MetricsPrisma.DbNull,
  }));
  if (data.length > 0) await tx.marketSnapshot.createMany({ data });
  return data.map(({ symbol }) => symbol);
}
