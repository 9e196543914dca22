import type { MetricsReader } from '@switchyard/db';
import { asFailure, malformed } from '../exchange/failure';
import type { Exchange, ExchangeTrade, OpenOrder } from '../exchange/port';
import type { Quote } from '../exchange/read-ticker';
import type { Sink } from './run-component';

export type GridRow = NonNullable<Awaited<ReturnType<MetricsReader['grid']['findUnique']>>>;

/** What the exchange says about a grid; its status is worked out where its ledger is locked. */
export interface ObservedGrid {
  gridId: string;
  orders: OpenOrder[];
  trades: ExchangeTrade[];
  quote: Quote;
}

/** An observation for each grid of which price, orders and fills are all known; never a stale copy. */
export async function collectGrids(
  options: {
    exchange: Exchange;
    grids: readonly GridRow[];
    quoted: () => Promise<readonly Quote[]>;
  },
  sink: Sink<ObservedGrid>,
  signal: AbortSignal,
): Promise<void> {
  const { exchange, grids } = options;
  await Promise.all(
    grids.map(async (grid) => {
      try {
        const { gridId, symbol, tradesWatermark } = grid;
        const since = tradesWatermark.getTime();
        const orders = await exchange.openOrders(symbol, signal);
        const trades = await exchange.trades(symbol, since, signal);
        const quote = (await options.quoted()).find((row) => row.symbol === symbol);
        if (!quote) throw malformed(gridId, 'no price for the symbol of this grid');
        sink.rows.push({ gridId, orders, trades, quote });
      } catch (error) {
        sink.failures.push(asFailure(error, grid.gridId));
      }
    }),
  );
}
