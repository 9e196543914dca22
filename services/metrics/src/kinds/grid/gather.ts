import { asFailure, malformed } from '../../exchange/failure';
import type { ExchangeTrade, OpenOrder } from '../../exchange/port';
import type { Quote } from '../../exchange/read-ticker';
import type { Resources } from '../../resources';
import type { Plan, Round, Sink } from '../kind';
import { loadPrices } from '../load-prices';
import { MARKET } from '../market/market';
import type { MidPrices } from '../price-assets';
import { needsAccount } from '../skips';
import type { Ledger } from './books/ledger';
import { type Explained, explainOrders, OVERLAP_MS } from './orders/explain-orders';
import { nameOrders } from './orders/name-orders';
import { type GridRow, readActiveGrids } from './read-grids';

export interface ObservedGrid extends Pick<Explained, 'settled' | 'unexplained' | 'lookedAt'> {
  gridId: string;
  orders: OpenOrder[];
  trades: ExchangeTrade[];
  tradesUntil: number;
  quote: Quote;
  prices: MidPrices;
}

export async function planGrids(resources: Resources): Promise<Plan<ObservedGrid>> {
  const grids = await readActiveGrids(resources.db.pool, resources.exchange);
  return {
    skip: grids.length > 0 ? needsAccount(resources) : null,
    symbols: grids.map(({ symbol }) => symbol),
    gather: (round, sink) => gatherGrids(grids, round, sink),
  };
}

async function gatherGrids(
  grids: readonly GridRow[],
  round: Round,
  sink: Sink<ObservedGrid>,
): Promise<void> {
  const { exchange, seen, signal } = round;
  await Promise.all(
    grids.map(async (grid) => {
      const { gridId, symbol, tradesWatermark } = grid;
      try {
        const orders = await exchange.openOrders(symbol, signal);
        const since = tradesWatermark.getTime() - OVERLAP_MS;
        const read = await exchange.trades(symbol, since, signal);
        const named = await nameOrders(round, grid, orders, read.trades);
        const { late, failures, ...vanished } = await explainOrders(round, grid, {
          orders,
          trades: named,
          since,
        });
        sink.failures.push(...failures);
        const trades = [...named, ...late];
        const quote = (await seen(MARKET)).find((row) => row.symbol === symbol);
        if (!quote) throw malformed(gridId, 'no price for the symbol of this grid');
        const prices = await loadPrices(round, feeAssets(grid, trades), quoteOf(symbol));
        const { until: tradesUntil } = read;
        sink.rows.push({ gridId, orders, trades, ...vanished, tradesUntil, quote, prices });
      } catch (error) {
        sink.failures.push(asFailure(error, gridId));
      }
    }),
  );
}

function feeAssets({ ledger }: GridRow, trades: readonly ExchangeTrade[]): string[] {
  const paid = trades.flatMap(({ feeAsset }) => feeAsset ?? []);
  return [...new Set([...paid, ...Object.keys((ledger as unknown as Ledger).feesUnpriced)])];
}

const quoteOf = (symbol: string): string => symbol.split('/')[1] ?? '';
