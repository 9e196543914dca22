import type { Dialect, SimRequest, SimResponse } from './dialect';

interface Rule {
  path: RegExp;
  most: number;
  seconds: number;
  weight?: (query: URLSearchParams) => number;
  name?: string;
}

const each = (seconds: number, of: Record<string, number>): Rule[] =>
  Object.entries(of).map(([path, most]) => ({ path: new RegExp(`${path}$`), most, seconds }));

const weighing = (name: string, most: number, weights: Record<string, number>): Rule[] =>
  Object.entries(weights).map(([path, weight]) => ({
    ...{ name, most, seconds: 60, path: new RegExp(`^${path}$`) },
    weight: (query) => (query.has('symbols') ? 80 : weight),
  }));

/**
 * Limits that the exchanges document, in the strictest interpretation: counted over sliding
 * windows.
 */
const RULES: Record<string, Rule[]> = {
  binance: [
    ...weighing('spot', 6_000, {
      ...{ '/api/v3/exchangeInfo': 20, '/api/v3/time': 1, '/api/v3/account': 20 },
      ...{ '/api/v3/ticker/24hr': 2, '/api/v3/klines': 2, '/api/v3/openOrders': 6 },
      ...{ '/api/v3/myTrades': 20, '/api/v3/order': 4 },
    }),
    ...each(60, { 'withdraw/history': 10 }),
    ...each(1, { 'withdraw/history': 10, 'deposit/hisrec': 10 }),
  ],
  bybit: [
    { path: /./, most: 600, seconds: 5 },
    ...each(1, { 'user/query-api': 10, 'account/wallet-balance': 50, 'order/realtime': 50 }),
    ...each(1, { 'execution/list': 50, 'position/list': 50 }),
    ...each(60, { 'deposit/query-record': 100, 'withdraw/query-record': 300 }),
  ],
  coinbase: [
    { path: /^\/v2|\/brokerage\/(time|market\/)/, most: 10, seconds: 1 },
    { path: /\/brokerage\/(?!time|market\/)/, most: 30, seconds: 1 },
  ],
  kraken: [{ path: /^\/0\/public\//, most: 1, seconds: 1 }],
  okx: [
    ...each(2, { 'public/time': 10, 'public/instruments': 20, 'market/tickers': 20 }),
    ...each(2, { 'market/candles': 40, 'market/history-candles': 20, 'account/balance': 10 }),
    ...each(2, { 'account/config': 5, 'trade/orders-pending': 60, 'trade/order': 60 }),
    ...each(2, { 'trade/fills': 60, 'trade/fills-history': 10 }),
    ...each(1, { 'asset/deposit-history': 6, 'asset/withdrawal-history': 6 }),
  ],
};

/**
 * Kraken's counter per key in the lowest tier: its maximum is `most`, and it falls by `perSecond`.
 */
const KRAKEN = { most: 15, perSecond: 0.33 };

const refusalOf = (exchange: string): SimResponse =>
  exchange === 'kraken'
    ? { status: 200, body: { error: ['EAPI:Rate limit exceeded'] } }
    : { status: exchange === 'binance' ? 418 : 429, body: { code: -1003, msg: 'banned' } };

export function strictly(exchange: string, dialect: Dialect, broken: string[]): Dialect {
  const asked = new Map<string, { at: number; weight: number }[]>();
  let points = 0;
  let countedAt = 0;
  let lastNonce = 0;

  const overWindow = ({ path, query }: SimRequest, now: number) =>
    (RULES[exchange] ?? []).filter((rule) => {
      if (!rule.path.test(path)) return false;
      const name = `${rule.name ?? rule.path.source} ${rule.seconds}`;
      const recent = (asked.get(name) ?? []).filter(({ at }) => now - at < rule.seconds * 1000);
      recent.push({ at: now, weight: rule.weight?.(query) ?? 1 });
      asked.set(name, recent);
      return recent.reduce((sum, { weight }) => sum + weight, 0) > rule.most;
    });
  const overCounter = ({ path, body }: SimRequest, now: number): string[] => {
    if (!path.startsWith('/0/private/')) return [];
    points = Math.max(0, points - ((now - countedAt) / 1000) * KRAKEN.perSecond);
    points += /TradesHistory|Ledgers/.test(path) ? 2 : 1;
    countedAt = now;
    const nonce = Number(new URLSearchParams(body).get('nonce'));
    const isOld = nonce < lastNonce;
    lastNonce = nonce;
    return [
      ...(points > KRAKEN.most ? [`${path}: ${points} points`] : []),
      ...(isOld ? ['a nonce below the previous one'] : []),
    ];
  };
  const answer: Dialect = (world, request) => {
    const now = world.now();
    const over = overWindow(request, now).map((rule) => `${request.path}: ${rule.most} per window`);
    const all = [...over, ...overCounter(request, now)];
    broken.push(...all);
    return all.length > 0 ? refusalOf(exchange) : dialect(world, request);
  };
  return Object.assign(answer, dialect.keys && { keys: dialect.keys });
}
