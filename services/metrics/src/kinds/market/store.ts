import type { Quote } from '../../exchange/read-ticker';
import { insertRows } from '../insert-rows';
import type { Storing } from '../kind';
import { MARKET_TABLE } from './columns';

export async function storeMarkets(storing: Storing, seen: readonly Quote[]): Promise<string[]> {
  const last = new Map(
    storing.candles.flatMap(({ symbol, timeframe, closed }) => {
      const candle = closed.at(-1);
      if (!candle) return [];
      const { openTime, ...prices } = candle;
      return [[symbol, { timeframe, open_time: new Date(openTime).toISOString(), ...prices }]];
    }),
  );
  const rows = seen.map((row) => ({ ...row, candle: last.get(row.symbol) ?? null }));
  await insertRows(storing, MARKET_TABLE.table, rows);
  return rows.map(({ symbol }) => symbol);
}
