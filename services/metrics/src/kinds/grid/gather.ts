import type { MetricsReader } from '@switchyard/db';
import { asFailure, malformed } from '../../exchange/failure';
import type { ExchangeTrade, OpenOrder } from '../../exchange/port';
import type { Quote } from '../../exchange/read-ticker';
import type { Resources } from '../../resources';
import type { Plan, Round, Sink } from '../kind';
import { MARKET } from '../market/market';
import { needsAccount } from '../needs-account';
import { nameOrders } from './name-orders';

export type GridRow = NonNullable<Awaited<ReturnType<MetricsReader['grid']['findUnique']>>>;

/** What the exchange says about a grid; its status is worked out where its ledger is locked. */
export interface ObservedGrid {
  gridId: string;
  orders: OpenOrder[];
  trades: ExchangeTrade[];
  /** All trades up to then were read. */
  tradesUntil: number;
  quote: Quote;
}

/** The grids to look at are the active ones of the exchange in use. */
export async function planGrids(resources: Resources): Promise<Plan<ObservedGrid>> {
  const { name, simulated } = resources.exchange;
  const grids = await resources.db.client.grid.findMany({
    where: { status: 'active', exchange: name, simulated },
    orderBy: { gridId: 'asc' },
  });
  return {
    skip: grids.length > 0 ? needsAccount(resources) : null,
    symbols: grids.map(({ symbol }) => symbol),
    gather: (round, sink) => gatherGrids(grids, round, sink),
  };
}

/** Exchanges show some fills late: what was read is read again for a while, and counts once. */
const OVERLAP_MS = 10 * 60_000;

/** An observation for each grid of which price, orders and fills are all known; never a stale copy. */
async function gatherGrids(
  grids: readonly GridRow[],
  round: Round,
  sink: Sink<ObservedGrid>,
): Promise<void> {
  const { exchange, seen, signal } = round;
  await Promise.all(
    grids.map(async ({ gridId, symbol, tradesWatermark }) => {
      try {
        const orders = await exchange.openOrders(symbol, signal);
        const since = tradesWatermark.getTime() - OVERLAP_MS;
        const read = await exchange.trades(symbol, since, signal);
        const trades = await nameOrders(round, symbol, orders, read.trades);
        const quote = (await seen(MARKET)).find((row) => row.symbol === symbol);
        if (!quote) throw malformed(gridId, 'no price for the symbol of this grid');
        sink.rows.push({ gridId, orders, trades, tradesUntil: read.until, quote });
      } catch (error) {
        sink.failures.push(asFailure(error, gridId));
      }
    }),
  );
}
