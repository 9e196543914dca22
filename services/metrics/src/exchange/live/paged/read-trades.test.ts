import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { createLiveExchange } from '../live-exchange';
import { readTrades, type TradesSource } from './read-trades';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

interface Fill {
  id: string;
  symbol: string;
  timestamp: number;
}

const fills = (count: number, everyMs: number, symbol = 'BTC/USDT'): Fill[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${symbol} ${index}`,
    symbol,
    timestamp: START + index * everyMs,
  }));

function source(id: string, page: (fills: Fill[], offset: number) => Fill[], all: readonly Fill[]) {
  const spans: number[] = [];
  const ccxt = {
    id,
    fetchMyTrades: async (
      symbol: string | undefined,
      since: number,
      _limit: number | undefined,
      { until, ofs }: { until: number; ofs?: string },
    ) => {
      spans.push(until - since);
      const found = all.filter(
        (fill) =>
          fill.timestamp >= since &&
          fill.timestamp <= until &&
          (symbol === undefined || fill.symbol === symbol),
      );
      return page(found, Number(ofs ?? 0)).map((fill) => ({
        ...fill,
        price: '1',
        amount: '1',
        side: 'buy',
        fee: { cost: '0' },
      }));
    },
  } as unknown as TradesSource;
  return { ccxt, spans };
}

const newest =
  (size: number) =>
  (found: Fill[], offset = 0) =>
    [...found].reverse().slice(offset, offset + size);
const oldest = (size: number) => (found: Fill[]) => found.slice(0, size);

const read = (ccxt: TradesSource, until: number, since = START) =>
  readTrades(ccxt, 'BTC/USDT', { since, until }, (ask) => ask());

describe('readTrades', () => {
  it.each([
    ['the newest hundred of a window', newest(100)],
    ['the oldest fifty of a window', oldest(50)],
  ])('given an exchange with unknown paging that returns %s, reads all trades', async (_, page) => {
    const all = fills(250, 60_000);
    const { ccxt } = source('other', page, all);
    const { trades, until } = await read(ccxt, START + 5 * HOUR);
    expect(trades.map(({ tradeId }) => tradeId)).toEqual(all.map((fill) => fill.id));
    expect(until).toBe(START + 5 * HOUR);
  });

  it('reads all trades of one symbol from Kraken, where each page contains all symbols', async () => {
    const all = [...fills(3, 9 * HOUR), ...fills(120, 10 * 60_000, 'ETH/USDT')];
    const { ccxt, spans } = source('kraken', newest(50), all);
    const { trades } = await read(ccxt, START + DAY);
    expect(trades.map(({ tradeId }) => tradeId)).toEqual(all.slice(0, 3).map((fill) => fill.id));
    expect(spans).toHaveLength(3);
  });

  it('reads a trade after eight days without trades, in windows of at most a day', async () => {
    const late = [{ id: 'late', symbol: 'BTC/USDT', timestamp: START + 8 * DAY }];
    const { ccxt, spans } = source('other', newest(100), late);
    const { trades } = await read(ccxt, START + 9 * DAY);
    expect(trades.map(({ tradeId }) => tradeId)).toEqual(['late']);
    expect(Math.max(...spans)).toBeLessThanOrEqual(DAY);
  });
});

it('readTrades can continue from `until` when there are more trades than one call reads', async () => {
  const all = fills(100, DAY);
  const { ccxt } = source('other', newest(100), all);
  const end = START + 100 * DAY;
  const first = await read(ccxt, end);
  expect(first.until).toBeLessThan(end);
  const seen = new Set(first.trades.map(({ tradeId }) => tradeId));
  let { until } = first;
  while (until < end) {
    const next = await read(ccxt, end, until);
    for (const { tradeId } of next.trades) seen.add(tradeId);
    until = next.until;
  }
  expect(seen.size).toBe(100);
});

it('readTrades fails when all trades of a full page have the same millisecond', async () => {
  const { ccxt } = source('other', newest(100), fills(150, 0));
  await expect(read(ccxt, START + HOUR)).rejects.toMatchObject({ code: 'malformed' });
});

const FILL = {
  ...{ symbol: 'BTC/USDT', side: 'buy' as const, price: '60000', amount: '0.01', fee: '0' },
  feeAsset: 'USDT',
};

it.each(Object.keys(DIALECTS))(
  'trades of %s have isMaker true for a maker and false for a taker',
  async (id) => {
    const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
    const { apiKey, secret, password } = sim.account;
    const time = Date.now() - 60_000;
    sim.account.trades.push(
      { ...FILL, id: '101', orderId: '11', time },
      { ...FILL, id: '102', orderId: '12', time: time + 1_000, isMaker: false },
    );
    const exchange = createLiveExchange({
      config: {
        mode: 'live',
        ...{ id, apiKey, secret, password, baseUrl: sim.url, isTestnet: false, rateLimit: false },
      },
      withPerpetuals: false,
      ...{ timeoutMs: 20_000, now: Date.now, observe: () => undefined },
    });
    const read = await exchange.trades('BTC/USDT', time - 1_000, AbortSignal.timeout(60_000));
    await sim.close();
    expect(read.trades.map(({ isMaker }) => isMaker)).toEqual([true, false]);
  },
);

it('a trade of Binance with an invalid isMaker has isMaker null', async () => {
  const raw = { ...FILL, id: '1', order: '2', timestamp: 1_500, takerOrMaker: 'taker' };
  const row = { ...raw, fee: { cost: '0', currency: 'USDT' }, info: { isMaker: null } };
  const source = { id: 'binance', fetchMyTrades: async () => [row] } as never;
  const span = { since: 1_000, until: 2_000 };
  const { trades } = await readTrades(source, 'BTC/USDT', span, (ask) => ask());
  expect(trades.map(({ isMaker }) => isMaker)).toEqual([null]);
});
