import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { filledOf, type SimAccountOrder, type SimAccountTrade } from './account';
import { type Dialect, ok, type SimRequest, type SimResponse, type SimWorld } from './dialect';
import type { SimMarket, Timeframe } from './market';

const idOf = (symbol: string) => symbol.replace('/', '-');
const refuse = (status: number, error: string): SimResponse => ({
  status,
  body: { error, message: error },
});
const iso = (time: number) => new Date(time).toISOString();

const GRANULARITIES: Record<string, Timeframe> = {
  ONE_MINUTE: '1m',
  FIVE_MINUTE: '5m',
  FIFTEEN_MINUTE: '15m',
  THIRTY_MINUTE: '30m',
  ONE_HOUR: '1h',
  FOUR_HOUR: '4h',
  ONE_DAY: '1d',
};
const MOST_CANDLES = 300;
const PAGE = 100;

function product(market: SimMarket, now: number) {
  const one = market.ticker(now);
  return {
    product_id: idOf(one.symbol),
    product_type: 'SPOT',
    base_currency_id: market.base,
    quote_currency_id: market.quote,
    price: one.last,
    price_percentage_change_24h: '1',
    volume_24h: one.baseVolume,
    approximate_quote_24h_volume: one.quoteVolume,
    base_increment: market.amountStep,
    quote_increment: market.tick,
    price_increment: market.tick,
    base_min_size: market.amountStep,
    base_max_size: '100000',
    quote_min_size: '1',
    quote_max_size: '10000000',
    trading_disabled: false,
    alias_to: [],
  };
}

function presentOrder(order: SimAccountOrder, status: 'OPEN' | 'FILLED') {
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId ?? '',
    product_id: idOf(order.symbol),
    side: order.side.toUpperCase(),
    status,
    order_type: 'LIMIT',
    time_in_force: 'GOOD_UNTIL_CANCELLED',
    created_time: iso(order.time),
    filled_size: filledOf(order, status === 'FILLED'),
    average_filled_price: '0',
    total_fees: '0',
    order_configuration: {
      limit_limit_gtc: { base_size: order.amount, limit_price: order.price, post_only: false },
    },
  };
}

const presentFill = (trade: SimAccountTrade) => ({
  entry_id: trade.id,
  trade_id: trade.id,
  order_id: trade.orderId,
  trade_time: iso(trade.time),
  product_id: idOf(trade.symbol),
  price: trade.price,
  size: trade.amount,
  size_in_quote: false,
  commission: trade.fee,
  side: trade.side.toUpperCase(),
  liquidity_indicator: trade.isMaker === false ? 'TAKER' : 'MAKER',
});

function pageOf<T>(rows: readonly T[], query: URLSearchParams, most: number) {
  const from = Number(query.get('cursor') || 0);
  const end = from + Math.min(Number(query.get('limit') ?? most), most);
  const has_next = end < rows.length;
  return { page: rows.slice(from, end), has_next, cursor: has_next ? String(end) : '' };
}

type Answer = (world: SimWorld, query: URLSearchParams) => object;

const BROKERAGE = '/api/v3/brokerage';

const privatePaths: Record<string, Answer> = {
  '/accounts': ({ account }, query) => {
    const all = Object.entries(account.balances).map(([currency, { free, locked }]) => ({
      uuid: currency,
      currency,
      type: currency === 'USDT' ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
      available_balance: { value: free, currency },
      hold: { value: locked, currency },
    }));
    const { page, ...more } = pageOf(all, query, 250);
    return { accounts: page, size: page.length, ...more };
  },
  '/transaction_summary': () => ({
    fee_tier: { maker_fee_rate: '0.001', taker_fee_rate: '0.001' },
  }),
  '/key_permissions': ({ account }) => ({
    can_view: true,
    can_trade: account.permissions.trade,
    can_transfer: account.permissions.withdraw,
    portfolio_uuid: '1',
    portfolio_type: 'DEFAULT',
  }),
  '/best_bid_ask': ({ markets, now }, query) => {
    const ids = query.getAll('product_ids');
    const wanted = markets.filter(({ symbol }) => ids.length === 0 || ids.includes(idOf(symbol)));
    return {
      pricebooks: wanted.map((market) => {
        const { bid, ask } = market.ticker(now());
        const side = (price: string) => [{ price, size: '1' }];
        return {
          product_id: idOf(market.symbol),
          bids: side(bid),
          asks: side(ask),
          time: iso(now()),
        };
      }),
    };
  },
  '/orders/historical/batch': ({ account }, query) => {
    const own = account.orders.filter(({ symbol }) => idOf(symbol) === query.get('product_id'));
    const { page, ...more } = pageOf(own, query, PAGE);
    return { orders: page.map((order) => presentOrder(order, 'OPEN')), ...more };
  },
  '/orders/historical/fills': ({ account }, query) => {
    const start = Date.parse(query.get('start_sequence_timestamp') ?? iso(0));
    const end = Date.parse(query.get('end_sequence_timestamp') ?? iso(8e15));
    const own = account.trades
      .filter(({ symbol }) => idOf(symbol) === query.get('product_id'))
      .filter(({ time }) => time >= start && time <= end)
      .sort((one, other) => other.time - one.time);
    const { page, cursor } = pageOf(own, query, PAGE);
    return { fills: page.map(presentFill), cursor };
  },
};

function orderOf({ account }: SimWorld, id: string): SimResponse {
  const open = account.orders.find((order) => order.id === id);
  if (open) return ok({ order: presentOrder(open, 'OPEN') });
  const closed = account.closedOrders.find((order) => order.id === id);
  return closed ? ok({ order: presentOrder(closed, 'FILLED') }) : refuse(404, 'NOT_FOUND');
}

function isSigned({ account }: SimWorld, { method, path, header }: SimRequest): boolean {
  const [head = '', claims = '', signature = ''] =
    header('authorization')?.replace('Bearer ', '').split('.') ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
  const { sub, uri } = read(claims) as { sub?: string; uri?: string };
  if (sub !== account.apiKey || !uri?.startsWith(`${method} `) || !uri.endsWith(path)) return false;
  const key = { key: createPublicKey(account.secret), dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${head}.${claims}`);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64url'));
}

const dialect: Dialect = (world, request) => {
  const { markets } = world;
  const { path, query } = request;
  const now = world.now();
  if (path === '/v2/time') return ok({ data: { iso: iso(now), epoch: Math.floor(now / 1000) } });
  if (path === `${BROKERAGE}/market/products`) {
    if (query.get('product_type') === 'FUTURE') return ok({ products: [] });
    const ids = query.getAll('product_ids');
    const wanted = markets.filter(({ symbol }) => ids.length === 0 || ids.includes(idOf(symbol)));
    return ok({ products: wanted.map((market) => product(market, now)) });
  }
  const [, id, of] = /\/market\/products\/([^/]+)\/(ticker|candles)$/.exec(path) ?? [];
  if (id !== undefined) {
    const market = markets.find(({ symbol }) => idOf(symbol) === id);
    if (!market) return refuse(404, 'NOT_FOUND');
    if (of === 'candles') return candlesOf(market, query, now);
    const { bid, ask, last } = market.ticker(now);
    const trades = [{ trade_id: '1', product_id: id, price: last, size: '1', time: iso(now) }];
    return ok({ trades, best_bid: bid, best_ask: ask });
  }
  const [, orderId] = /\/orders\/historical\/([^/]+)$/.exec(path) ?? [];
  const answer = privatePaths[path.replace(BROKERAGE, '')];
  if (!answer && orderId === undefined) return null;
  if (!isSigned(world, request)) return { status: 401, body: 'Unauthorized' };
  return answer ? ok(answer(world, query)) : orderOf(world, String(orderId));
};

function candlesOf(market: SimMarket, query: URLSearchParams, now: number): SimResponse {
  const timeframe = GRANULARITIES[query.get('granularity') ?? ''];
  if (!timeframe) return refuse(400, 'INVALID_ARGUMENT');
  const [start, end] = ['start', 'end'].map((name) => Number(query.get(name)) * 1000);
  const candles = market
    .candlesFrom(timeframe, Number(start), MOST_CANDLES, now)
    .filter(({ openTime }) => openTime >= Number(start) && openTime <= Number(end))
    .reverse()
    .map(({ openTime, ...rest }) => ({ start: String(openTime / 1000), ...rest }));
  return ok({ candles });
}

/**
 * Implements the parts of Coinbase's Advanced Trade API that read an account and its markets. Key
 * names contain the organisation; requests are signed with an elliptic curve.
 */
export const coinbase: Dialect = Object.assign(dialect, {
  keys: () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      apiKey: 'organizations/simulated/apiKeys/for-tests-0001',
      secret: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    };
  },
});
