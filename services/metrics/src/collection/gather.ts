import { setMaxListeners } from 'node:events';
import type { Context } from '../context';
import { ExchangeFailure } from '../exchange/failure';
import type { Quote } from '../exchange/read-ticker';
import { type FetchedCandles, loadCandles } from './candle-store';
import { type BalanceRow, collectBalance } from './collect-balance';
import { collectGrids, type GridRow, type ObservedGrid } from './collect-grids';
import { collectMarkets } from './collect-markets';
import { collectRegimes, type RegimeRow } from './collect-regimes';
import type { Components } from './collect-request';
import { type ComponentOutcome, runComponent } from './run-component';

export const REGIME_TIMEFRAME = '1h';

export interface Gathered {
  balances: BalanceRow[];
  markets: Quote[];
  grids: ObservedGrid[];
  regimes: RegimeRow[];
  candles: FetchedCandles[];
  components: Components;
}

async function hadAssets(context: Context): Promise<boolean> {
  const { client } = context.db;
  const last = await client.balanceSnapshot.findFirst({
    where: { totalRow: true, exchange: context.exchange.name },
    orderBy: [{ capturedAt: 'desc' }, { id: 'desc' }],
  });
  if (!last) return false;
  const { collectionRef } = last;
  return (await client.balanceSnapshot.count({ where: { collectionRef, totalRow: false } })) > 0;
}

async function activeGrids({ db, exchange }: Context): Promise<GridRow[]> {
  const { name, simulated } = exchange;
  const where = { status: 'active', exchange: name, simulated };
  return db.client.grid.findMany({ where, orderBy: { gridId: 'asc' } });
}

/**
 * Asks the exchange for everything, side by side and each part within its own time. It does not fail with
 * the exchange; it throws only when the storage does not answer.
 */
export async function gather(context: Context, signal: AbortSignal): Promise<Gathered> {
  const { config, exchange, logger } = context;
  const grids = await activeGrids(context);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(config.componentTimeoutMs)]);
  // Every call of the collection listens to it, which is many and no leak.
  setMaxListeners(0, limit);
  const noKeys = new ExchangeFailure('auth', exchange.name, 'no API key is configured');
  const skip = exchange.hasAccount ? null : noKeys;
  const symbols = [...new Set([...config.symbols, ...grids.map((grid) => grid.symbol)])];

  const candles = new Map<string, Promise<FetchedCandles>>();
  const arrived: FetchedCandles[] = [];
  for (const symbol of config.symbols) {
    const loading = loadCandles(context, symbol, REGIME_TIMEFRAME, limit);
    // What comes too late is left out; the component that waited for it has reported that.
    loading.then(
      (one) => arrived.push(one),
      () => undefined,
    );
    candles.set(symbol, loading);
  }
  const markets = runComponent<Quote>(
    { name: 'market_data', run: (sink, stop) => collectMarkets(exchange, symbols, sink, stop) },
    limit,
    logger,
  );
  const quoted = async () => (await markets).rows;
  const balances = runComponent<BalanceRow>(
    {
      name: 'account_balance',
      skip,
      run: (sink, stop) => {
        const options = {
          exchange,
          quote: config.quote,
          hadAssets: () => hadAssets(context),
          quoted,
        };
        return collectBalance(options, sink, stop);
      },
    },
    limit,
    logger,
  );
  const observed = runComponent<ObservedGrid>(
    {
      name: 'grid_status',
      skip: grids.length > 0 ? skip : null,
      run: (sink, stop) => collectGrids({ exchange, grids, quoted }, sink, stop),
    },
    limit,
    logger,
  );
  const regimes = runComponent<RegimeRow>(
    { name: 'regime_analysis', run: (sink) => collectRegimes(exchange, candles, sink) },
    limit,
    logger,
  );
  const [balance, market, grid, regime] = await Promise.all([balances, markets, observed, regimes]);
  const result = ({ result }: ComponentOutcome<unknown>) => result;
  return {
    balances: balance.rows,
    markets: market.rows,
    grids: grid.rows,
    regimes: regime.rows,
    candles: [...arrived],
    components: {
      account_balance: result(balance),
      market_data: result(market),
      grid_status: result(grid),
      regime_analysis: result(regime),
    },
  };
}
