import { randomFrom } from '@switchyard/testing';
import { binance } from '@switchyard/testing/exchange-sim/binance';
import type { Fault } from '@switchyard/testing/exchange-sim/faults';
import { createMarkets, type SimMarket } from '@switchyard/testing/exchange-sim/market';
import { type ExchangeSim, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { type Decimal, decimal } from '../../src/decimal';
import { clockAt, type Harness, startHarness } from '../harness';
import { liveSettings } from '../live-settings';
import { watchAccount } from './own-account';
import { booksOf, type Counted } from './own-books';
import { type TradedGrid, tradeGrid } from './traded-grid';

const SEED = 7;
const STEP_MS = 300_000;
const FAULTS: Fault[] = ['503', 'cut', 'empty', 'reset', '429', 'limited', '403'];
const GRIDS = [
  { name: 'a', symbol: 'BTC/USDT', amount: 0.02 },
  { name: 'b', symbol: 'ETH/USDT', amount: 0.5 },
  { name: 'c', symbol: 'ETH/USDT', amount: 0.31 },
];

const inOrder = (one: Counted, other: Counted) =>
  one.time - other.time || one.id.length - other.id.length || (one.id < other.id ? -1 : 1);

export function tradeFor(days: number): void {
  describe(`${days} days of trading`, () => {
    const random = randomFrom(19);
    const start = Date.UTC(2031, 0, 6);
    const clock = clockAt(new Date(start).toISOString());
    const ours = () => clock.now().getTime();
    const third = (days * 86_400_000) / 3;
    const skew = () => (Math.floor((ours() - start) / third) % 2 === 0 ? 90_000 : -90_000);
    const theirs = () => ours() + skew();
    const markets = new Map(createMarkets(SEED).map((market) => [market.symbol, market]));
    const marketOf = (symbol: string) => markets.get(symbol) as SimMarket;
    const midOf = (symbol: string): Decimal => {
      const { bid, ask } = marketOf(symbol).ticker(theirs());
      return decimal(bid).plus(ask).div(2);
    };

    let sim: ExchangeSim;
    let service: Harness;
    const grids: (TradedGrid & { symbol: string; start: { base: string; cost: string } })[] = [];
    const counted = new Map<string, Counted[]>();
    let account: ReturnType<typeof watchAccount>;
    let checked = 0;
    let faults = 0;

    beforeAll(async () => {
      sim = await startExchangeSim({ dialect: binance, seed: SEED, now: theirs });
      account = watchAccount(sim.account, (asset) =>
        asset === 'USDT' ? decimal(1) : midOf(`${asset}/USDT`),
      );
      service = await startHarness({
        context: { clock },
        env: {
          ...liveSettings(sim),
          METRICS_SYMBOLS: 'BTC/USDT,ETH/USDT,BNB/USDT',
          METRICS_INTERVAL_SEC: '3600',
          METRICS_COLLECTION_TIMEOUT_MS: '190000',
        },
      });
      await collect();
      for (const { name, symbol, amount } of GRIDS) await startGrid(name, symbol, amount);
    });
    afterAll(async () => {
      await service?.close();
      await sim?.close();
    });

    const collect = async () => {
      const { body } = await service.http.post('/metrics/collect').send({}).expect(200);
      const { account_balance: balance, transfers } = body.components;
      account.look(ours(), {
        balance: balance.status === 'ok',
        transfers: transfers.status === 'ok',
      });
      return body;
    };

    const startGrid = async (name: string, symbol: string, amount: number) => {
      const price = midOf(symbol).toNumber();
      const { body } = await service.http
        .post('/grids/create')
        .send({
          name,
          symbol,
          lower_price: (price * 0.95).toFixed(2),
          upper_price: (price * 1.05).toFixed(2),
          grid_count: name === 'b' ? 16 : 12,
          order_amount: amount,
          client_order_prefix: name,
          initial_base: amount * 10,
        })
        .expect(201);
      const time = theirs();
      const traded = tradeGrid({ account: sim.account, grid: body, amount, price, time, random });
      const held = { base: body.initial_base, cost: body.initial_cost };
      grids.push({ ...traded, symbol, start: held });
      counted.set(body.grid_id, []);
    };

    const show = () => {
      const known = new Set(sim.account.trades.map(({ id }) => id));
      for (const fill of grids.flatMap(({ fills }) => fills)) {
        if (fill.visibleAt <= theirs() && !known.has(fill.id)) sim.account.trades.push(fill);
      }
    };

    const tradeByHand = () => {
      const price = String(marketOf('ETH/USDT').ticker(theirs()).last);
      const order = {
        id: String(900_000_000 + sim.account.closedOrders.length),
        clientOrderId: null,
      };
      const common = { symbol: 'ETH/USDT', side: 'buy' as const, price, amount: '0.5' };
      sim.account.closedOrders.push({ ...common, ...order, time: theirs() });
      const fee = { fee: '1', feeAsset: 'USDT' };
      sim.account.trades.push({
        ...common,
        ...fee,
        id: `h${order.id}`,
        orderId: order.id,
        time: theirs(),
      });
    };

    const moveMoney = () => {
      const [asset, amount] = (
        [
          ['USDT', 500],
          ['BTC', 0.01],
          ['ETH', 0.2],
        ] as const
      )[Math.floor(random() * 3)] as readonly [string, number];
      const type = random() < 0.6 ? ('deposit' as const) : ('withdrawal' as const);
      account.move(type, asset, (amount * (0.5 + random())).toFixed(6), ours(), theirs());
    };

    const look = async () => {
      show();
      const { components } = await collect();
      const { failures, status } = components.grid_status as {
        status: string;
        failures: { target: string }[];
      };
      const { items } = (await service.http.get('/grids/status').expect(200)).body;
      for (const { gridId, symbol, fills, start } of grids) {
        const isSeen =
          status !== 'failed' &&
          !failures.some(({ target }) => target === gridId || target === 'grid_status');
        if (!isSeen) continue;
        const item = items.find((one: { grid_id: string }) => one.grid_id === gridId);
        const known = counted.get(gridId) as Counted[];
        const shown = new Set(sim.account.trades.map(({ id }) => id));
        const before = new Set(known.map(({ id }) => id));
        const fresh = fills.filter(({ id }) => shown.has(id) && !before.has(id));
        known.push(...fresh.map((fill) => ({ ...fill, feePrice: midOf('BNB/USDT') })));
        expect(item.fees_unpriced).toEqual({});
        known.sort(inOrder);
        compare(item, booksOf(symbol, start, known, midOf(symbol)), known);
        checked++;
      }
    };

    const compare = (
      item: Record<string, string>,
      books: ReturnType<typeof booksOf>,
      known: readonly Counted[],
    ) => {
      const twelve = (value: Decimal | string | undefined) => decimal(value ?? 'NaN').toFixed(12);
      const sides = (side: string) => known.filter((fill) => fill.side === side).length;
      expect({ ...item }).toMatchObject({ filled_buys: sides('buy'), filled_sells: sides('sell') });
      expect({
        bought: twelve(item.bought_quote),
        sold: twelve(item.sold_quote),
        inventory: twelve(item.inventory_base),
        fees: twelve(item.fees_quote),
        allFees: twelve(item.fees_total),
        total: twelve(item.total_pnl),
        twoParts: twelve(decimal(String(item.realised_pnl)).plus(String(item.unrealised_pnl))),
        pairs: twelve(item.grid_profit),
        rest: twelve(item.inventory_result),
      }).toEqual({
        bought: twelve(books.bought),
        sold: twelve(books.sold),
        inventory: twelve(books.inventory),
        fees: twelve(books.feesQuote),
        allFees: twelve(books.feesTotal),
        total: twelve(books.total),
        twoParts: twelve(books.total),
        pairs: twelve(books.pairs),
        rest: twelve(books.rest),
      });
    };

    it('have books that are exact to twelve decimal places, despite faults and a wrong clock', async () => {
      const end = start + days * 86_400_000;
      let lookAt = ours();
      let looks = 0;
      while (ours() < end) {
        clock.forward(STEP_MS);
        for (const grid of grids)
          grid.walk(Number(marketOf(grid.symbol).ticker(theirs()).last), theirs());
        if (random() < 0.002) tradeByHand();
        if (random() < 0.01) moveMoney();
        if (ours() < lookAt) continue;
        lookAt = ours() + 3_600_000 * (0.5 + random());
        looks++;
        const isDrawn = random() < 0.03;
        if (isDrawn || looks % 40 === 20) {
          faults++;
          sim.fail(FAULTS[Math.floor(random() * FAULTS.length)] as Fault);
        }
        await look();
        sim.fail(null);
      }
      clock.forward(600_000);
      await look();
      clock.forward(600_000);
      await look();
      const all = [...counted.values()].flat();
      expect(all).toHaveLength(grids.flatMap(({ fills }) => fills).length);
      expect(all.length).toBeGreaterThan(days * 5);
      expect(checked).toBeGreaterThan(days * 48);
      expect(faults).toBeGreaterThan(days / 6);
      const [stored] = await service.rows<{ count: number }>('SELECT count(*)::int FROM trade');
      expect(stored?.count).toBe(all.length);
    });

    it('have a daily profit that excludes deposits and withdrawals', async () => {
      const twelve = (value: Decimal | string) => decimal(value).toFixed(12);
      const { body } = await service.http.get('/profit?periods=100').expect(200);
      const [stored] = await service.rows<{ count: number }>('SELECT count(*)::int FROM transfer');
      expect(stored?.count).toBe(account.moved.length);
      expect(account.moved.length).toBeGreaterThan(days);
      const expected = account.days(start, start + days * 86_400_000);
      expect(expected.length).toBeGreaterThanOrEqual(days - 1);
      const shown = new Map(
        body.account.map((day: Record<string, string>) => [Date.parse(String(day.end)), day]),
      );
      for (const { end, transfers, result } of expected) {
        const day = shown.get(end) as Record<string, string>;
        expect([twelve(day.transfers ?? 'NaN'), twelve(day.result ?? 'NaN')]).toEqual([
          twelve(transfers),
          twelve(result),
        ]);
        const parts = decimal(day.grid_profit ?? 'NaN')
          .plus(day.inventory_result ?? 'NaN')
          .minus(day.fees ?? 'NaN')
          .plus(day.other ?? 'NaN');
        expect(twelve(parts)).toBe(twelve(result));
      }
    });

    it('contain no candle that was stored before its end', async () => {
      const rows = await service.rows<Record<string, string> & { at: string }>(
        `SELECT symbol, extract(epoch FROM open_time) * 1000 AS at, open::float8, high::float8,
           low::float8, close::float8 FROM ohlcv_candle ORDER BY symbol, open_time`,
      );
      const wrong = rows.filter(({ symbol, at, ...stored }) => {
        const [candle] = marketOf(String(symbol)).candles('1h', 2, Number(at) + 3_600_000);
        const of = (name: 'open' | 'high' | 'low' | 'close') => Number(candle?.[name]);
        return (['open', 'high', 'low', 'close'] as const).some(
          (name) => of(name) !== Number(stored[name]),
        );
      });
      expect(rows.length).toBeGreaterThan(3 * 300);
      expect(wrong).toEqual([]);
    });
  });
}
