import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { readDecimal } from '../../decimal';
import { type ExchangeConfig, TESTED_EXCHANGES } from '../config';
import { ExchangeFailure } from '../failure';
import type { Exchange } from '../port';
import { readBalance } from '../read-balance';
import { readCandles } from '../read-candles';
import { readTicker } from '../read-ticker';
import { readTime } from '../read-time';
import { createLiveExchange } from './live-exchange';

const NOW = Date.now();
const HOUR = 3_600_000;
const SYMBOLS = ['BTC/USDT', 'ETH/USDT'];
const PERPETUAL = 'BTC/USDT:USDT';

const ABSENT = Symbol('absent');
const FORMS = [null, '', 'NaN', 'abc', {}, [], true, ABSENT, '-1', '1e400'];

interface Read {
  rows: Record<string, Record<string, unknown>>;
  failures: number;
}

const byId = <Row extends object>(rows: readonly Row[], id: (row: Row) => unknown) =>
  Object.fromEntries(rows.map((row) => [String(id(row)), row as Record<string, unknown>]));

const signal = new AbortController().signal;

const READS: Record<string, (exchange: Exchange) => Promise<Read>> = {
  balance: async (exchange) => {
    const { holdings, failures } = readBalance(await exchange.balance(signal));
    return { rows: byId(holdings, ({ asset }) => asset), failures: failures.length };
  },
  tickers: async (exchange) => {
    const all = [...(await exchange.tickers(SYMBOLS, signal))];
    const sound = all.flatMap(([symbol, ticker]) => {
      if (ticker instanceof ExchangeFailure) return [];
      try {
        return [{ ...readTicker(ticker, NOW), symbol }];
      } catch {
        return [];
      }
    });
    return { rows: byId(sound, ({ symbol }) => symbol), failures: all.length - sound.length };
  },
  candles: async (exchange) => {
    const answered = await exchange.candles('BTC/USDT', '1h', { limit: 3 }, signal);
    const { closed, failure } = readCandles('BTC/USDT', '1h', answered, NOW);
    return { rows: byId(closed, ({ openTime }) => openTime), failures: failure ? 1 : 0 };
  },
  'open orders': async (exchange) => {
    const orders = await exchange.openOrders('BTC/USDT', signal);
    return { rows: byId(orders, ({ orderId }) => orderId), failures: 0 };
  },
  trades: async (exchange) => {
    const { trades } = await exchange.trades('BTC/USDT', NOW - HOUR, signal);
    return { rows: byId(trades, ({ tradeId }) => tradeId), failures: 0 };
  },
  transfers: async (exchange) => {
    const read = await exchange.transfers?.(NOW - HOUR, signal);
    const { transfers = [], failures = [] } = read ?? {};
    return { rows: byId(transfers, (one) => one.transferId), failures: failures.length };
  },
  'the margin account': async (exchange) => {
    if (!exchange.perpetuals) return { rows: {}, failures: 0 };
    const { positions, balances } = await exchange.perpetuals.account(['USDT'], signal);
    return { rows: { ...byId(positions, ({ symbol }) => symbol), balances }, failures: 0 };
  },
  'funding rates': async (exchange) => {
    const all = [...((await exchange.perpetuals?.fundingRates([PERPETUAL], signal)) ?? [])];
    const sound = all.flatMap(([, rate]) => {
      if (rate instanceof ExchangeFailure) return [];
      const price = (value: unknown) => (readDecimal(value)?.gt(0) ? value : null);
      const { markPrice, indexPrice, time, paidAt } = rate;
      const times = { time: readTime(time), paidAt: readTime(paidAt) };
      return [{ ...rate, markPrice: price(markPrice), indexPrice: price(indexPrice), ...times }];
    });
    return { rows: byId(sound, ({ symbol }) => symbol), failures: all.length - sound.length };
  },
  'funding payments': async (exchange) => {
    const read = await exchange.perpetuals?.fundingPayments(PERPETUAL, NOW - HOUR, signal);
    const { payments = [], failures = [] } = read ?? {};
    return { rows: byId(payments, ({ paymentId }) => paymentId), failures: failures.length };
  },
};

function fill({ account }: ExchangeSim) {
  const order = { symbol: 'BTC/USDT', side: 'sell' as const, price: '65000', amount: '0.01' };
  account.orders.push(
    { ...order, id: '7001', clientOrderId: 'grid-7-1', time: NOW - 5_000 },
    { ...order, id: '7002', clientOrderId: 'grid-7-2', time: NOW - 4_000, side: 'buy' },
  );
  const trade = { symbol: 'BTC/USDT', price: '64000', amount: '0.02', fee: '0.5' };
  account.trades.push(
    ...[
      { ...trade, id: '9001', orderId: '6001', side: 'sell' as const },
      { ...trade, id: '9002', orderId: '6002', side: 'buy' as const },
    ].map((one, index) => ({
      ...one,
      feeAsset: one.side === 'buy' ? 'BTC' : 'USDT',
      time: NOW - 60_000 + index,
    })),
  );
  account.transfers.push(
    { id: 'd1', type: 'deposit', asset: 'USDT', amount: '100', time: NOW - 120_000 },
    { id: 'w1', type: 'withdrawal', asset: 'BTC', amount: '0.1', fee: '0.001', time: NOW - 90_000 },
  );
  account.positions.push({ symbol: 'BTC/USDT', amount: -0.5, entryPrice: 60_000, leverage: 5 });
  account.fundingPayments.push({
    id: '8001',
    symbol: 'BTC/USDT',
    received: '-1.5',
    time: NOW - 30_000,
  });
}

type Path = (string | number)[];
const ROWS = 3;

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isLong = Array.isArray(value) && value.length > ROWS;
  const inner = Object.entries(isLong ? value.slice(0, ROWS) : value).flatMap(([key, one]) =>
    leavesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

function corrupted(body: unknown, path: Path, form: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return form;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length > 0 || form !== ABSENT) copy[key] = corrupted(copy[key], rest, form);
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

const isRowKey = (key: unknown) => /^[A-Z\d]+$/.test(String(key));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const SIGNED =
  /fee|commission|profit|pnl|upl|rate|income|chg|balance|eq|amt|pos|notional|percentage|state|free|locked|value|hold|borrow|interest|im$/i;

/**
 * Returns true if a valid account could also have this value, so that no check can detect the
 * corruption.
 */
function isPlausible(leaf: Path, original: unknown, form: unknown): boolean {
  const key = String(leaf.at(-1));
  if (form === true) return typeof original === 'boolean';
  if (form === ABSENT) return isObject(original) && isRowKey(key);
  if (Array.isArray(form)) return Array.isArray(original) && original.every(isObject);
  if (isObject(form)) return isObject(original) && Object.keys(original).every(isRowKey);
  if (typeof form !== 'string' || form === '') return false;
  const isText = typeof original === 'string' && readDecimal(original) === null;
  if ((isText && !/side|type$/i.test(key)) || /id$/i.test(key)) return true;
  return form === '-1' && SIGNED.test(key);
}

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown>)[key], body);

const plain = (value: unknown): unknown =>
  value instanceof Date ? value.getTime() : (readDecimal(String(value))?.toFixed() ?? value);
const UNKNOWN = [null, undefined, '', 'pending'];

const known = (value: unknown) => !UNKNOWN.includes(value as string);

function faultsOf(read: Read, truth: Read): string[] {
  const foreign = Object.keys(read.rows).filter((id) => !Object.hasOwn(truth.rows, id));
  const missing = Object.keys(truth.rows).filter((id) => !Object.hasOwn(read.rows, id));
  const changed = Object.entries(truth.rows).flatMap(([id, row]) =>
    Object.entries(row)
      .map(([field, value]) => [field, plain(value), plain(read.rows[id]?.[field])] as const)
      .filter(([, value, found]) => known(found) && known(value) && found !== value)
      .map(([field, value, found]) => `${id}.${field} is ${String(found)}, not ${String(value)}`),
  );
  return [
    ...foreign.map((id) => `${id} does not exist`),
    ...(missing.length > read.failures ? missing.map((id) => `${id} is missing`) : []),
    ...changed,
  ];
}

describe.each(TESTED_EXCHANGES)('a corrupted response of %s', (id) => {
  let sim: ExchangeSim;
  let exchange: Exchange;
  let corrupt: ((path: string, body: unknown) => unknown) | null = null;
  const seen = new Map<string, unknown>();

  beforeAll(async () => {
    const dialect = DIALECTS[id] as Dialect;
    const between: Dialect = (world, request) => {
      const answer = dialect(world, request);
      if (answer?.status !== 200) return answer;
      const { path, query, body } = request;
      const name = `${path} ${query.get('settleCoin') ?? query.get('symbol') ?? ''} ${body.length > 0}`;
      seen.set(name, answer.body);
      return { ...answer, body: corrupt ? corrupt(name, answer.body) : answer.body };
    };
    sim = await startExchangeSim({
      dialect: Object.assign(between, dialect.keys && { keys: dialect.keys }),
      seed: 7,
      now: () => NOW,
    });
    fill(sim);
    const { apiKey, secret, password } = sim.account;
    const config: ExchangeConfig = {
      ...{ mode: 'live', id, apiKey, secret, password },
      ...{ baseUrl: sim.url, isTestnet: false, rateLimit: false },
    };
    exchange = createLiveExchange({
      ...{ config, timeoutMs: 10_000, withPerpetuals: true, now: () => NOW },
      observe: () => undefined,
    });
    await exchange.tickers(SYMBOLS, signal);
  });
  afterAll(async () => {
    await exchange.close();
    await sim.close();
  });

  it.each(Object.keys(READS))(
    'leads to correct values, unknown values or a reported failure, but never to wrong values (%s)',
    async (name) => {
      const read = READS[name] as (typeof READS)[string];
      const isUntold = id === 'coinbase' && name === 'transfers';
      if (isUntold) return;
      await read(exchange);
      seen.clear();
      const truth = await read(exchange);
      if (exchange.perpetuals || !/margin|funding/.test(name)) expect(truth.rows).not.toEqual({});
      const faults: string[] = [];
      for (const [path, body] of [...seen]) {
        for (const leaf of leavesOf(body)) {
          const original = valueAt(body, leaf);
          for (const form of FORMS.filter((one) => one !== ABSENT || leaf.length > 0)) {
            if (isPlausible(leaf, original, form)) continue;
            corrupt = (asked, whole) => (asked === path ? corrupted(whole, leaf, form) : whole);
            const found = await read(exchange).catch((error) => {
              if (error instanceof ExchangeFailure && error.code !== 'internal') return null;
              return String(error);
            });
            corrupt = null;
            const wrong = typeof found === 'string' ? [found] : found ? faultsOf(found, truth) : [];
            const what = `${path}: ${leaf.join('.')} = ${String(form === ABSENT ? 'absent' : JSON.stringify(form))}`;
            if (wrong.length > 0) faults.push(`${what}: ${wrong.join(', ')}`);
          }
        }
      }
      expect(exchange.state().circuit).toBe('closed');
      expect(faults).toEqual([]);
    },
  );
});
