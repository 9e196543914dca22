import { createHmac } from 'node:crypto';
import {
  filledOf,
  type SimAccount,
  type SimAccountOrder,
  type SimAccountTrade,
  type SimTransfer,
} from './account';
import { type Dialect, ok, type SimRequest, type SimWorld } from './dialect';
import type { SimMarket, Timeframe } from './market';
import {
  bybitFundingPayments,
  bybitFundingRates,
  bybitPerpetuals,
  bybitPositions,
} from './perpetuals';

const idOf = (symbol: string) => symbol.replace('/', '');
const refuse = (retCode: number, retMsg: string) => ok({ retCode, retMsg, result: {} });

const INTERVALS: Record<string, Timeframe> = {
  1: '1m',
  5: '5m',
  15: '15m',
  30: '30m',
  60: '1h',
  240: '4h',
  D: '1d',
};
const WEEK = 7 * 86_400_000;
const MONTH = 30 * 86_400_000;
const ORDERS_PAGE = 20;
const FILLS_PAGE = 50;

function instrument({ symbol, base, quote, tick, amountStep, minCost }: SimMarket) {
  return {
    symbol: idOf(symbol),
    baseCoin: base,
    quoteCoin: quote,
    status: 'Trading',
    marginTrading: 'none',
    lotSizeFilter: {
      basePrecision: amountStep,
      quotePrecision: '0.00000001',
      minOrderQty: amountStep,
      maxOrderQty: '100000',
      minOrderAmt: minCost,
      maxOrderAmt: '10000000',
    },
    priceFilter: { tickSize: tick },
  };
}

function ticker(market: SimMarket, now: number) {
  const one = market.ticker(now);
  return {
    symbol: idOf(one.symbol),
    bid1Price: one.bid,
    bid1Size: '1',
    ask1Price: one.ask,
    ask1Size: '1',
    lastPrice: one.last,
    prevPrice24h: one.open,
    price24hPcnt: '0.01',
    highPrice24h: one.high,
    lowPrice24h: one.low,
    turnover24h: one.quoteVolume,
    volume24h: one.baseVolume,
  };
}

function isSigned({ account }: SimWorld, { search, header }: SimRequest) {
  if (header('x-bapi-api-key') !== account.apiKey) return refuse(10003, 'API key is invalid.');
  const window = header('x-bapi-recv-window');
  const signed = `${header('x-bapi-timestamp')}${account.apiKey}${window}${search}`;
  const expected = createHmac('sha256', account.secret).update(signed).digest('hex');
  return header('x-bapi-sign') === expected ? null : refuse(10004, 'Error sign, check your key.');
}

const presentOrder = (order: SimAccountOrder, orderStatus: 'New' | 'Filled') => ({
  symbol: idOf(order.symbol),
  orderId: order.id,
  orderLinkId: order.clientOrderId ?? '',
  side: order.side === 'buy' ? 'Buy' : 'Sell',
  orderType: 'Limit',
  price: order.price,
  qty: order.amount,
  cumExecQty: filledOf(order, orderStatus === 'Filled'),
  cumExecValue: '0',
  cumExecFee: '0',
  avgPrice: '',
  timeInForce: 'GTC',
  orderStatus,
  createdTime: String(order.time),
  updatedTime: String(order.time),
});

const presentFill = (trade: SimAccountTrade) => ({
  symbol: idOf(trade.symbol),
  execId: trade.id,
  orderId: trade.orderId,
  orderLinkId: '',
  side: trade.side === 'buy' ? 'Buy' : 'Sell',
  execPrice: trade.price,
  execQty: trade.amount,
  execValue: String(Number(trade.price) * Number(trade.amount)),
  execFee: trade.fee,
  feeCurrency: trade.feeAsset,
  execTime: String(trade.time),
  execType: 'Trade',
  isMaker: trade.isMaker ?? true,
});

function pageOf<T>(rows: readonly T[], query: URLSearchParams, usual: number, most: number) {
  const from = Number(query.get('cursor') || 0);
  const limit = Math.min(Number(query.get('limit') ?? usual), most);
  const next = from + limit < rows.length ? String(from + limit) : '';
  return { list: rows.slice(from, from + limit), nextPageCursor: next };
}

type Answer = (world: SimWorld, query: URLSearchParams) => object | string;

function transfersOf(
  { transfers }: SimAccount,
  type: SimTransfer['type'],
  query: URLSearchParams,
  present: (one: SimTransfer) => object,
) {
  const [start, end] = [Number(query.get('startTime')), Number(query.get('endTime'))];
  if (end - start > MONTH) return 'The time range between startTime and endTime is over 30 days.';
  const rows = transfers
    .filter((one) => one.type === type && one.time >= start && one.time <= end)
    .sort((one, other) => other.time - one.time)
    .slice(0, Math.min(Number(query.get('limit') ?? 20), FILLS_PAGE));
  return { rows: rows.map(present), nextPageCursor: '' };
}

const privatePaths: Record<string, Answer> = {
  '/v5/user/query-api': ({ account }) => {
    const { trade, withdraw } = account.permissions;
    return {
      readOnly: trade || withdraw ? 0 : 1,
      permissions: { Spot: trade ? ['SpotTrade'] : [], Wallet: withdraw ? ['Withdraw'] : [] },
      ips: account.boundTo ? [account.boundTo] : ['*'],
      unified: 0,
      uta: 1,
    };
  },
  '/v5/account/info': () => ({ unifiedMarginStatus: 6, marginMode: 'REGULAR_MARGIN' }),
  '/v5/account/wallet-balance': ({ account }) => ({
    list: [
      {
        accountType: 'UNIFIED',
        coin: Object.entries(account.balances).map(([coin, { free, locked }]) => ({
          coin,
          walletBalance: (Number(free) + Number(locked)).toFixed(8),
          locked,
          borrowAmount: '0',
          accruedInterest: '0',
          totalOrderIM: '0',
          totalPositionIM: '0',
        })),
      },
    ],
  }),
  '/v5/order/realtime': ({ account }, query) => {
    const orderId = query.get('orderId');
    if (orderId !== null) {
      const isAsked = ({ id }: SimAccountOrder) => id === orderId;
      const open = account.orders.filter(isAsked).map((order) => presentOrder(order, 'New'));
      const closed = account.closedOrders.filter(isAsked);
      return { list: [...open, ...closed.map((order) => presentOrder(order, 'Filled'))] };
    }
    const own = account.orders.filter(({ symbol }) => idOf(symbol) === query.get('symbol'));
    return pageOf(
      own.map((order) => presentOrder(order, 'New')),
      query,
      ORDERS_PAGE,
      50,
    );
  },
  '/v5/position/list': bybitPositions,
  '/v5/execution/list': (world, query) => {
    const { account } = world;
    if (query.get('execType') === 'Funding') {
      return pageOf(bybitFundingPayments(world, query), query, FILLS_PAGE, 100);
    }
    const start = Number(query.get('startTime') ?? Date.now() - WEEK);
    const end = Number(query.get('endTime') ?? start + WEEK);
    if (end - start > WEEK) return 'The time range between startTime and endTime is over 7 days.';
    const own = account.trades
      .filter(({ symbol }) => idOf(symbol) === query.get('symbol'))
      .filter(({ time }) => time >= start && time <= end)
      .sort((one, other) => other.time - one.time);
    return pageOf(own.map(presentFill), query, FILLS_PAGE, 100);
  },
  '/v5/asset/deposit/query-record': ({ account }, query) =>
    transfersOf(account, 'deposit', query, (one) => ({
      coin: one.asset,
      amount: one.amount,
      id: one.id,
      txID: one.id,
      depositFee: '',
      status: one.isPending ? 1 : 3,
      successAt: String(one.time),
    })),
  '/v5/asset/withdraw/query-record': ({ account }, query) =>
    transfersOf(account, 'withdrawal', query, (one) => ({
      coin: one.asset,
      amount: one.amount,
      withdrawId: one.id,
      txID: one.id,
      status: one.isPending ? 'Pending' : 'success',
      withdrawFee: one.fee ?? '0',
      createTime: String(one.time),
      updateTime: String(one.time),
    })),
};

export const bybit: Dialect = (world, request) => {
  const time = world.now();
  const result = (found: object) => ok({ retCode: 0, retMsg: 'OK', result: found, time });
  const { markets } = world;
  const { path, query } = request;
  if (path === '/v5/market/time') return result({ timeSecond: String(Math.floor(time / 1000)) });
  const isLinear = query.get('category') === 'linear';
  if (path === '/v5/market/instruments-info' && isLinear) {
    const isAhead = query.get('status') === 'PreLaunch';
    return result(isAhead ? { category: 'linear', list: [] } : bybitPerpetuals(world));
  }
  if (path === '/v5/market/tickers' && isLinear) return result(bybitFundingRates(world));
  if (path === '/v5/market/instruments-info') {
    return result({ category: 'spot', list: markets.map(instrument) });
  }
  if (path === '/v5/market/tickers') {
    const list = markets.map((one) => ticker(one, time));
    const symbol = query.get('symbol');
    const wanted = list.filter((one) => symbol === null || one.symbol === symbol);
    return result({ category: 'spot', list: wanted });
  }
  if (path === '/v5/market/kline') {
    const market = markets.find(({ symbol }) => idOf(symbol) === query.get('symbol'));
    const timeframe = INTERVALS[query.get('interval') ?? ''];
    if (!market || !timeframe) return refuse(10001, 'Not supported symbols');
    const limit = Math.min(Number(query.get('limit')), 1000);
    const start = query.get('start');
    const rows = start
      ? market.candlesFrom(timeframe, Number(start), limit, time)
      : market.candles(timeframe, limit, time);
    const list = rows.reverse().map((one) => {
      const { openTime, open, high, low, close, volume } = one;
      return [String(openTime), open, high, low, close, volume, '0'];
    });
    return result({ category: 'spot', list });
  }
  const answer = privatePaths[path];
  if (!answer) return null;
  const refused = isSigned(world, request);
  if (refused) return refused;
  const found = answer(world, query);
  return typeof found === 'string' ? refuse(10001, found) : result(found);
};
