import type { Clock } from '@switchyard/async';
import { type Decimal, decimal } from '../../decimal';
import { ExchangeFailure } from '../failure';
import { type AssetBalance, type Exchange, NO_KEY, TIMEFRAME_MS } from '../port';
import type { Books } from './books';
import { SIMULATED_MARKETS } from './price-path';
import { createSimulatedMarket, type SimulatedMarket } from './simulated-market';
import { createSimulatedPerpetuals, readEach } from './simulated-perpetuals';

const FUNDS: Record<string, string> = { USDT: '250000', BTC: '0.5', ETH: '6', SOL: '80' };

/**
 * The default exchange: no keys, no network, prices derived from a seed. All of its data is marked
 * `simulated`.
 */
export function createSimulatedExchange(options: {
  name?: string;
  seed: number;
  clock: Clock;
  books: Books;
}): Exchange {
  const { name = 'simulated', seed, clock, books } = options;
  const made = new Map<string, SimulatedMarket>();
  const now = () => clock.now().getTime();
  const get = (symbol: string): SimulatedMarket => {
    if (!Object.hasOwn(SIMULATED_MARKETS, symbol)) {
      throw new ExchangeFailure(
        'bad_symbol',
        symbol,
        'the simulated exchange does not list this symbol',
      );
    }
    const market = made.get(symbol) ?? createSimulatedMarket(seed, symbol);
    made.set(symbol, market);
    return market;
  };

  const balances = async (): Promise<Record<string, AssetBalance>> => {
    for (const symbol of await books.symbols())
      await books.advance(symbol, get(symbol).path, now());
    const totals = new Map(Object.entries(FUNDS).map(([asset, sum]) => [asset, decimal(sum)]));
    const used = new Map<string, Decimal>();
    const add = (to: Map<string, Decimal>, asset: string, sum: Decimal) =>
      to.set(asset, (to.get(asset) ?? decimal(0)).plus(sum));
    const [flows, orders] = await Promise.all([books.flows(), books.openOrders()]);
    for (const { symbol, base, quote } of flows) {
      const { market } = get(symbol);
      add(totals, market.base, decimal(base));
      add(totals, market.quote, decimal(quote));
    }
    for (const { symbol, side, price, amount } of orders) {
      const { market } = get(symbol);
      if (side === 'sell') add(used, market.base, decimal(amount));
      else add(used, market.quote, decimal(amount).times(price));
    }
    return Object.fromEntries(
      [...totals].map(([asset, total]) => {
        const locked = used.get(asset) ?? decimal(0);
        const free = total.minus(locked).toFixed();
        return [asset, { free, used: locked.toFixed(), total: total.toFixed() }];
      }),
    );
  };

  return {
    name,
    simulated: true,
    hasAccount: true,
    checkKey: async () => undefined,
    markets: async (symbols) =>
      new Map(
        symbols
          .filter((symbol) => Object.hasOwn(SIMULATED_MARKETS, symbol))
          .map((symbol) => [symbol, get(symbol).market]),
      ),
    tickers: async (symbols) => readEach(symbols, (symbol) => get(symbol).ticker(now())),
    balance: async () => ({
      accountType: 'spot',
      assets: await balances(),
      provenEmpty: true,
    }),
    candles: async (symbol, timeframe, { limit, since }) => {
      if (since === undefined) return get(symbol).candles(timeframe, limit, now());
      const span = TIMEFRAME_MS[timeframe];
      const end = Math.min(since + limit * span, now());
      const candles = get(symbol).candles(timeframe, limit + 1, end);
      return candles.filter(({ openTime }) => openTime >= since && openTime + span <= end);
    },
    openOrders: async (symbol) => {
      await books.advance(symbol, get(symbol).path, now());
      return books.openOrders(symbol);
    },
    trades: async (symbol, since) => {
      await books.advance(symbol, get(symbol).path, now());
      return { trades: await books.trades(symbol, since), until: now() };
    },
    transfers: async () => ({ transfers: [], failures: [], until: now(), isWhole: true }),
    order: async (_symbol, orderId) => ({
      clientOrderId: orderId,
      price: null,
      filled: null,
    }),
    perpetuals: createSimulatedPerpetuals({ seed, now, pathOf: (symbol) => get(symbol).path }),
    time: now,
    candleGraceMs: 0,
    state: () => ({
      circuit: 'closed',
      openUntil: null,
      lastSuccessAt: now(),
      consecutiveFailures: 0,
      clockOffsetMs: 0,
      key: NO_KEY,
    }),
    placeGrid: async (grid) => {
      const { market, path } = get(grid.symbol);
      const price = path(now());
      const needed = grid.levels
        .reduce((sum, level) => sum.plus(Math.max(Number(level), price)), decimal(0))
        .times(grid.amount);
      const free = (await balances())[market.quote]?.free;
      if (needed.gt(String(free ?? 0))) {
        const reason = `the simulated account has less than ${needed.toFixed(2)} ${market.quote} free`;
        throw new ExchangeFailure('permission', grid.symbol, reason);
      }
      await books.open(grid, path, now());
    },
    cancelGrid: (gridId) => books.close(gridId),
    close: async () => undefined,
  };
}
