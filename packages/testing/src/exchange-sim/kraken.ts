import { createHash, createHmac } from 'node:crypto';
import { filledOf, type SimAccount, type SimAccountOrder, type SimTransfer } from './account';
import { type Dialect, ok, type SimRequest, type SimWorld } from './dialect';
import type { SimMarket, Timeframe } from './market';

const result = (body: unknown) => ok({ error: [], result: body });
const refuse = (error: string) => ok({ error: [error] });
const idOf = (symbol: string) => symbol.replace('/', '');
const placesOf = (step: string) => (step.includes('.') ? (step.split('.')[1] as string).length : 0);

const MINUTES: Record<string, Timeframe> = {
  1: '1m',
  5: '5m',
  15: '15m',
  30: '30m',
  60: '1h',
  240: '4h',
  1440: '1d',
};

function pair(market: SimMarket) {
  return {
    altname: idOf(market.symbol),
    wsname: market.symbol,
    aclass_base: 'currency',
    base: market.base,
    aclass_quote: 'currency',
    quote: market.quote,
    lot: 'unit',
    pair_decimals: placesOf(market.tick),
    cost_decimals: 5,
    lot_decimals: placesOf(market.amountStep),
    lot_multiplier: 1,
    leverage_buy: [],
    leverage_sell: [],
    fees: [[0, 0.26]],
    fees_maker: [[0, 0.16]],
    fee_volume_currency: 'ZUSD',
    ordermin: market.amountStep,
    costmin: market.minCost,
    tick_size: market.tick,
    status: 'online',
  };
}

function ticker(market: SimMarket, now: number) {
  const one = market.ticker(now);
  const day = (value: string) => [value, value];
  return {
    a: [one.ask, '1', '1.000'],
    b: [one.bid, '1', '1.000'],
    c: [one.last, '0.1'],
    v: day(one.baseVolume),
    p: day(one.last),
    t: [10, 20],
    l: day(one.low),
    h: day(one.high),
    o: one.open,
  };
}

function isSigned({ account }: SimWorld, { path, body, header }: SimRequest): string | null {
  if (header('api-key') !== account.apiKey) return 'EAPI:Invalid key';
  const nonce = new URLSearchParams(body).get('nonce') ?? '';
  const hashed = createHash('sha256')
    .update(nonce + body)
    .digest();
  const expected = createHmac('sha512', Buffer.from(account.secret, 'base64'))
    .update(Buffer.concat([Buffer.from(path), hashed]))
    .digest('base64');
  return header('api-sign') === expected ? null : 'EAPI:Invalid signature';
}

const seconds = (time: number) => time / 1000;

function presentOrder(order: SimAccountOrder, status: 'open' | 'closed') {
  return {
    refid: null,
    userref: null,
    cl_ord_id: order.clientOrderId,
    status,
    opentm: seconds(order.time),
    descr: {
      pair: idOf(order.symbol),
      type: order.side,
      ordertype: 'limit',
      price: order.price,
      price2: '0',
      leverage: 'none',
    },
    vol: order.amount,
    vol_exec: filledOf(order, status === 'closed'),
    cost: '0',
    fee: '0',
    price: '0',
  };
}

const TRANSFERS_PAGE = 25;

function transfersOf(
  { transfers }: SimAccount,
  type: SimTransfer['type'],
  parameters: URLSearchParams,
) {
  const start = Number(parameters.get('start') ?? 0) * 1000;
  const end = Number(parameters.get('end') ?? Number.POSITIVE_INFINITY) * 1000;
  return transfers
    .filter((one) => one.type === type && one.time >= start && one.time <= end)
    .sort((one, other) => other.time - one.time)
    .slice(0, TRANSFERS_PAGE)
    .map((one) => ({
      method: one.asset,
      aclass: 'currency',
      asset: one.asset,
      refid: one.id,
      txid: one.id,
      info: '',
      amount: one.amount,
      fee: one.fee ?? '0',
      time: Math.floor(one.time / 1000),
      status: one.isPending ? 'Pending' : 'Success',
    }));
}

const privatePaths: Record<string, (world: SimWorld, parameters: URLSearchParams) => unknown> = {
  '/0/private/BalanceEx': ({ account }) =>
    Object.fromEntries(
      Object.entries(account.balances).map(([asset, { free, locked }]) => {
        const balance = (Number(free) + Number(locked)).toFixed(8);
        return [asset, { balance, hold_trade: locked }];
      }),
    ),
  '/0/private/GetApiKeyInfo': ({ account: { permissions, boundTo } }) => ({
    apiKeyName: 'collector',
    permissions: [
      ...['query-funds', 'query-open-trades', 'query-closed-trades'],
      ...(permissions.trade ? ['modify-trades', 'close-trades'] : []),
      ...(permissions.withdraw ? ['withdraw-funds'] : []),
    ],
    ipAllowlist: boundTo === null ? [] : [boundTo],
  }),
  '/0/private/DepositStatus': ({ account }, parameters) =>
    transfersOf(account, 'deposit', parameters),
  '/0/private/WithdrawStatus': ({ account }, parameters) =>
    transfersOf(account, 'withdrawal', parameters),
  '/0/private/OpenOrders': ({ account }) => ({
    open: Object.fromEntries(
      account.orders.map((order) => [order.id, presentOrder(order, 'open')]),
    ),
  }),
  '/0/private/QueryOrders': ({ account }, parameters) => {
    const isAsked = ({ id }: SimAccountOrder) => id === parameters.get('txid');
    const rows = [
      ...account.orders.filter(isAsked).map((order) => [order.id, presentOrder(order, 'open')]),
      ...account.closedOrders
        .filter(isAsked)
        .map((order) => [order.id, presentOrder(order, 'closed')]),
    ];
    return Object.fromEntries(rows);
  },
  '/0/private/TradesHistory': ({ account }, parameters) => {
    const start = Number(parameters.get('start') ?? 0) * 1000;
    const offset = Number(parameters.get('ofs') ?? 0);
    const end = Number(parameters.get('end') ?? Number.POSITIVE_INFINITY) * 1000;
    const all = account.trades.filter(({ time }) => time >= start && time <= end);
    const page = [...all].sort((a, b) => b.time - a.time).slice(offset, offset + 50);
    const trades = page.map((trade) => [
      trade.id,
      {
        ordertxid: trade.orderId,
        pair: idOf(trade.symbol),
        time: seconds(trade.time),
        type: trade.side,
        ordertype: 'limit',
        price: trade.price,
        cost: String(Number(trade.price) * Number(trade.amount)),
        fee: trade.fee,
        vol: trade.amount,
        misc: '',
        maker: trade.isMaker ?? true,
      },
    ]);
    return { count: all.length, trades: Object.fromEntries(trades) };
  },
};

export const kraken: Dialect = (world, request) => {
  const now = world.now();
  const { path, query, body } = request;
  const { markets } = world;
  if (path === '/0/public/Time') {
    return result({ unixtime: Math.floor(now / 1000), rfc1123: new Date(now).toUTCString() });
  }
  if (path === '/0/public/Assets') {
    const names = [...new Set(markets.flatMap(({ base, quote }) => [base, quote]))];
    const asset = (altname: string) => ({ aclass: 'currency', altname, decimals: 10 });
    return result(Object.fromEntries(names.map((name) => [name, asset(name)])));
  }
  if (path === '/0/public/AssetPairs') {
    return result(Object.fromEntries(markets.map((one) => [idOf(one.symbol), pair(one)])));
  }
  const pairs = query.get('pair')?.split(',') ?? null;
  const wanted = markets.filter((one) => pairs?.includes(idOf(one.symbol)) ?? true);
  if (path === '/0/public/Ticker') {
    if (wanted.length === 0) return refuse('EQuery:Unknown asset pair');
    const rows = wanted.map((one) => [idOf(one.symbol), ticker(one, now)]);
    return result(Object.fromEntries(rows));
  }
  if (path === '/0/public/OHLC') {
    const [market] = wanted;
    const timeframe = MINUTES[query.get('interval') ?? '60'];
    if (!market || !timeframe) return refuse('EQuery:Unknown asset pair');
    const rows = market.candles(timeframe, 720, now).map((candle) => {
      const { openTime, open, high, low, close, volume } = candle;
      return [seconds(openTime), open, high, low, close, close, volume, 1];
    });
    return result({ [idOf(market.symbol)]: rows, last: seconds(now) });
  }
  const answer = privatePaths[path];
  if (!answer) return null;
  const wrong = isSigned(world, request);
  return wrong ? refuse(wrong) : result(answer(world, new URLSearchParams(body)));
};
