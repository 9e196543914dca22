import { createHmac } from 'node:crypto';
import { filledOf, type SimAccount, type SimAccountOrder, type SimTransfer } from './account';
import { type Dialect, ok, type SimRequest, type SimResponse, type SimWorld } from './dialect';
import { type SimMarket, TIMEFRAME_MS, type Timeframe } from './market';
import { BINANCE_FUTURES_ACCOUNT, binanceFutures } from './perpetuals';

const refuse = (status: number, code: number, msg: string) => ({ status, body: { code, msg } });
const idOf = (symbol: string) => symbol.replace('/', '');

function info({ symbol, base, quote, tick, amountStep, minCost }: SimMarket) {
  return {
    symbol: idOf(symbol),
    status: 'TRADING',
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT', 'MARKET'],
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    permissions: ['SPOT'],
    permissionSets: [['SPOT']],
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice: '10000000', tickSize: tick },
      { filterType: 'LOT_SIZE', minQty: amountStep, maxQty: '100000', stepSize: amountStep },
      { filterType: 'NOTIONAL', minNotional: minCost, applyMinToMarket: true },
    ],
  };
}

function ticker(market: SimMarket, now: number) {
  const one = market.ticker(now);
  return {
    symbol: idOf(one.symbol),
    lastPrice: one.last,
    bidPrice: one.bid,
    bidQty: '1',
    askPrice: one.ask,
    askQty: '1',
    openPrice: one.open,
    highPrice: one.high,
    lowPrice: one.low,
    volume: one.baseVolume,
    quoteVolume: one.quoteVolume,
    openTime: now - 86_400_000,
    closeTime: now,
    count: 1,
  };
}

function klines(market: SimMarket, { query }: SimRequest, now: number) {
  const timeframe = (query.get('interval') ?? '1h') as Timeframe;
  const limit = Math.min(Number(query.get('limit') ?? 500), 1000);
  const start = query.get('startTime');
  const candles = start
    ? market.candlesFrom(timeframe, Number(start), limit, now)
    : market.candles(timeframe, limit, now);
  return candles.map((candle) => {
    const { openTime, open, high, low, close, volume } = candle;
    const end = openTime + TIMEFRAME_MS[timeframe] - 1;
    return [openTime, open, high, low, close, volume, end, '0', 1, '0', '0', '0'];
  });
}

function assertSigned(
  { account, now }: SimWorld,
  { search, query, header }: SimRequest,
): SimResponse | null {
  if (header('x-mbx-apikey') !== account.apiKey) {
    return refuse(401, -2015, 'Invalid API-key, IP, or permissions for action.');
  }
  const { recvWindowMs } = account;
  if (recvWindowMs !== null && Math.abs(Number(query.get('timestamp')) - now()) > recvWindowMs) {
    return refuse(400, -1021, 'Timestamp for this request is outside of the recvWindow.');
  }
  const signed = search.replace(/&signature=[^&]*$/, '');
  const expected = createHmac('sha256', account.secret).update(signed).digest('hex');
  if (query.get('signature') === expected) return null;
  return refuse(400, -1022, 'Signature for this request is not valid.');
}

function presentOrder(order: SimAccountOrder, status: 'NEW' | 'FILLED') {
  return {
    symbol: idOf(order.symbol),
    orderId: order.id,
    clientOrderId: order.clientOrderId,
    price: order.price,
    origQty: order.amount,
    executedQty: filledOf(order, status === 'FILLED'),
    cummulativeQuoteQty: '0',
    status,
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: order.side.toUpperCase(),
    time: order.time,
    updateTime: order.time,
    isWorking: status === 'NEW',
  };
}

const DAY = 86_400_000;
const LONGEST_SPAN = 90 * DAY;

function transfersOf({ transfers }: SimAccount, type: SimTransfer['type'], query: URLSearchParams) {
  const end = Number(query.get('endTime') ?? Number.POSITIVE_INFINITY);
  return transfers
    .filter((one) => one.type === type && one.time <= end)
    .filter(({ time }) => time >= Number(query.get('startTime') ?? 0))
    .sort((one, other) => other.time - one.time)
    .slice(0, Number(query.get('limit') ?? 1000));
}

const privatePaths: Record<
  string,
  (world: SimWorld, symbol: string | null, query: URLSearchParams) => unknown
> = {
  ...BINANCE_FUTURES_ACCOUNT,
  '/api/v3/account': ({ account }) => ({
    accountType: 'SPOT',
    canTrade: true,
    balances: Object.entries(account.balances).map(([asset, own]) => ({ asset, ...own })),
    permissions: ['SPOT'],
  }),
  '/sapi/v1/account/apiRestrictions': ({ account: { permissions, boundTo } }) => ({
    ipRestrict: boundTo !== null,
    enableReading: true,
    enableWithdrawals: permissions.withdraw,
    enableInternalTransfer: false,
    permitsUniversalTransfer: false,
    enableMargin: false,
    enableFutures: false,
    enableVanillaOptions: false,
    enableSpotAndMarginTrading: permissions.trade,
  }),
  '/sapi/v1/capital/deposit/hisrec': ({ account }, _symbol, query) =>
    transfersOf(account, 'deposit', query).map((one) => ({
      id: one.id,
      amount: one.amount,
      coin: one.asset,
      network: one.asset,
      status: one.isPending ? 0 : 1,
      txId: one.id,
      insertTime: one.time,
      transferType: 0,
    })),
  '/sapi/v1/capital/withdraw/history': ({ account }, _symbol, query) =>
    transfersOf(account, 'withdrawal', query).map((one) => ({
      id: one.id,
      amount: one.amount,
      transactionFee: one.fee ?? '0',
      coin: one.asset,
      network: one.asset,
      status: one.isPending ? 4 : 6,
      txId: one.id,
      applyTime: new Date(one.time).toISOString().slice(0, 19).replace('T', ' '),
      transferType: 0,
    })),
  '/api/v3/openOrders': ({ account }, symbol) =>
    account.orders
      .filter((order) => symbol === null || idOf(order.symbol) === symbol)
      .map((order) => presentOrder(order, 'NEW')),
  '/api/v3/order': ({ account }, symbol, query) => {
    const isAsked = (order: SimAccountOrder) =>
      idOf(order.symbol) === symbol && order.id === query.get('orderId');
    const open = account.orders.find(isAsked);
    if (open) return presentOrder(open, 'NEW');
    const closed = account.closedOrders.find(isAsked);
    return closed && presentOrder(closed, 'FILLED');
  },
  '/api/v3/myTrades': ({ account }, symbol, query) =>
    account.trades
      .filter(({ time }) => time >= Number(query.get('startTime') ?? 0))
      .filter(({ time }) => time <= Number(query.get('endTime') ?? Number.POSITIVE_INFINITY))
      .filter(({ id }) => !query.has('fromId') || Number(id) >= Number(query.get('fromId')))
      .filter((trade) => idOf(trade.symbol) === symbol)
      .sort((one, other) => Number(one.id) - Number(other.id) || one.time - other.time)
      .slice(0, Math.min(Number(query.get('limit') ?? 500), 1000))
      .map((trade) => ({
        symbol,
        id: trade.id,
        orderId: trade.orderId,
        price: trade.price,
        qty: trade.amount,
        quoteQty: String(Number(trade.price) * Number(trade.amount)),
        commission: trade.fee,
        commissionAsset: trade.feeAsset,
        time: trade.time,
        isBuyer: trade.side === 'buy',
        isMaker: trade.isMaker ?? true,
      })),
};

export const binance: Dialect = (world, request) => {
  const now = world.now();
  const { path, query } = request;
  const symbol = query.get('symbol');
  const market = world.markets.find((one) => idOf(one.symbol) === symbol);
  const unknown = refuse(400, -1121, 'Invalid symbol.');
  if (path === '/api/v3/ping') return ok({ ping: true });
  if (path === '/api/v3/time') return ok({ serverTime: now });
  if (path === '/api/v3/exchangeInfo') {
    const symbols = world.markets.map(info);
    return ok({ timezone: 'UTC', serverTime: now, rateLimits: [], exchangeFilters: [], symbols });
  }
  if (path === '/api/v3/ticker/24hr') {
    if (symbol) return market ? ok(ticker(market, now)) : unknown;
    const wanted = query.get('symbols');
    const ids = wanted ? (JSON.parse(wanted) as string[]) : null;
    const all = world.markets.map((one) => ticker(one, now));
    return ok(ids ? all.filter((one) => ids.includes(one.symbol)) : all);
  }
  if (path === '/api/v3/klines') return market ? ok(klines(market, request, now)) : unknown;
  const futures = binanceFutures(world, path);
  if (futures !== undefined) return ok(futures);
  const answer = privatePaths[path];
  if (!answer) return null;
  const refused = assertSigned(world, request);
  if (refused) return refused;
  const [start, end] = [query.get('startTime'), query.get('endTime')];
  if (query.has('fromId') && (start ?? end) !== null) {
    return refuse(400, -1128, 'Combination of optional parameters invalid.');
  }
  const span = Number(end ?? start) - Number(start);
  if (path.startsWith('/sapi/v1/capital') && span > LONGEST_SPAN) {
    return refuse(400, -1127, 'More than 90 days between startTime and endTime.');
  }
  if (path.startsWith('/api') && start && span > DAY) {
    return refuse(400, -1127, 'More than 24 hours between startTime and endTime.');
  }
  const found = answer(world, symbol, query);
  return found === undefined ? refuse(400, -2013, 'Order does not exist.') : ok(found);
};
