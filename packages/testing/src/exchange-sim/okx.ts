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
import { OKX_PERPETUALS_ACCOUNT, okxFundingRates, okxSwaps, openProfit } from './perpetuals';

const result = (data: unknown) => ok({ code: '0', msg: '', data });
const refuse = (code: string, msg: string, status = 200) => ({
  status,
  body: { code, msg, data: [] },
});
const idOf = (symbol: string) => symbol.replace('/', '-');

const BARS: Record<string, Timeframe> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '30m': '30m',
  '1H': '1h',
  '4H': '4h',
  '1Dutc': '1d',
};
const PAGE = 100;
const MOST_CANDLES = 300;
const FIRST_BILL = 400_000;

function instrument({ symbol, base, quote, tick, amountStep }: SimMarket) {
  return {
    instType: 'SPOT',
    instId: idOf(symbol),
    baseCcy: base,
    quoteCcy: quote,
    tickSz: tick,
    lotSz: amountStep,
    minSz: amountStep,
    state: 'live',
    lever: '',
  };
}

function ticker(market: SimMarket, now: number) {
  const one = market.ticker(now);
  return {
    instType: 'SPOT',
    instId: idOf(one.symbol),
    last: one.last,
    lastSz: '1',
    askPx: one.ask,
    askSz: '1',
    bidPx: one.bid,
    bidSz: '1',
    open24h: one.open,
    high24h: one.high,
    low24h: one.low,
    volCcy24h: one.quoteVolume,
    vol24h: one.baseVolume,
    ts: String(now),
  };
}

function isSigned({ account }: SimWorld, { method, path, search, body, header }: SimRequest) {
  if (header('ok-access-key') !== account.apiKey)
    return refuse('50111', 'Invalid OK-ACCESS-KEY', 401);
  if (header('ok-access-passphrase') !== account.password) {
    return refuse('50105', 'OK-ACCESS-PASSPHRASE incorrect', 401);
  }
  const asked = search === '' ? path : `${path}?${search}`;
  const signed = `${header('ok-access-timestamp')}${method}${asked}${body}`;
  const expected = createHmac('sha256', account.secret).update(signed).digest('base64');
  return header('ok-access-sign') === expected ? null : refuse('50113', 'Invalid sign', 401);
}

const presentOrder = (order: SimAccountOrder, state: 'live' | 'filled') => ({
  instType: 'SPOT',
  instId: idOf(order.symbol),
  ordId: order.id,
  clOrdId: order.clientOrderId ?? '',
  px: order.price,
  sz: order.amount,
  side: order.side,
  ordType: 'limit',
  state,
  accFillSz: filledOf(order, state === 'filled'),
  avgPx: '',
  fee: '0',
  feeCcy: '',
  cTime: String(order.time),
  uTime: String(order.time),
});

const presentFill = ({ billId, ...trade }: SimAccountTrade & { billId: number }) => ({
  instType: 'SPOT',
  instId: idOf(trade.symbol),
  billId: String(billId),
  tradeId: trade.id,
  ordId: trade.orderId,
  clOrdId: '',
  fillPx: trade.price,
  fillSz: trade.amount,
  side: trade.side,
  execType: trade.isMaker === false ? 'T' : 'M',
  fee: trade.fee.startsWith('-') ? trade.fee.slice(1) : `-${trade.fee}`,
  feeCcy: trade.feeAsset,
  ts: String(trade.time),
});

function transfersOf({ transfers }: SimAccount, type: SimTransfer['type'], query: URLSearchParams) {
  const before = Number(query.get('before') ?? 0);
  const after = Number(query.get('after') ?? Number.POSITIVE_INFINITY);
  return transfers
    .filter((one) => one.type === type && one.time > before && one.time < after)
    .sort((one, other) => other.time - one.time)
    .slice(0, Math.min(Number(query.get('limit') ?? PAGE), PAGE));
}

const privatePaths: Record<string, (world: SimWorld, query: URLSearchParams) => unknown> = {
  ...OKX_PERPETUALS_ACCOUNT,
  '/api/v5/account/balance': (world) => [
    {
      uTime: String(world.now()),
      details: Object.entries(world.account.balances).map(([ccy, { free, locked }]) => ({
        ccy,
        eq: (Number(free) + Number(locked) + (ccy === 'USDT' ? openProfit(world) : 0)).toFixed(8),
        availEq: free,
        availBal: free,
        frozenBal: locked,
      })),
    },
  ],
  '/api/v5/account/config': ({ account }) => [
    { uid: '1', label: 'collector', perm: permOf(account.permissions), ip: account.boundTo ?? '' },
  ],
  '/api/v5/trade/orders-pending': ({ account }, query) => {
    const own = account.orders.filter(({ symbol }) => idOf(symbol) === query.get('instId'));
    const newest = [...own].reverse();
    const after = newest.findIndex(({ id }) => id === query.get('after'));
    return newest.slice(after + 1, after + 1 + PAGE).map((order) => presentOrder(order, 'live'));
  },
  '/api/v5/trade/order': ({ account }, query) => {
    const isAsked = ({ id }: SimAccountOrder) => id === query.get('ordId');
    const open = account.orders.find(isAsked);
    if (open) return [presentOrder(open, 'live')];
    const closed = account.closedOrders.find(isAsked);
    return closed && [presentOrder(closed, 'filled')];
  },
  '/api/v5/trade/fills-history': ({ account }, query) =>
    account.trades
      .map((trade, index) => ({ ...trade, billId: FIRST_BILL + index }))
      .filter(({ symbol }) => idOf(symbol) === query.get('instId'))
      .filter(({ time }) => time >= Number(query.get('begin') ?? 0))
      .filter(({ time }) => time <= Number(query.get('end') ?? Number.POSITIVE_INFINITY))
      .filter(({ billId }) => billId < Number(query.get('after') ?? Number.POSITIVE_INFINITY))
      .sort((one, other) => other.billId - one.billId)
      .slice(0, PAGE)
      .map(presentFill),
  '/api/v5/asset/deposit-history': ({ account }, query) =>
    transfersOf(account, 'deposit', query).map((one) => ({
      ccy: one.asset,
      amt: one.amount,
      depId: one.id,
      txId: one.id,
      state: one.isPending ? '0' : '2',
      ts: String(one.time),
    })),
  '/api/v5/asset/withdrawal-history': ({ account }, query) =>
    transfersOf(account, 'withdrawal', query).map((one) => ({
      ccy: one.asset,
      amt: one.amount,
      fee: one.fee ?? '0',
      wdId: one.id,
      txId: one.id,
      state: one.isPending ? '0' : '2',
      ts: String(one.time),
    })),
};

const permOf = ({ trade, withdraw }: { trade: boolean; withdraw: boolean }) =>
  ['read_only', ...(trade ? ['trade'] : []), ...(withdraw ? ['withdraw'] : [])].join(',');

export const okx: Dialect = (world, request) => {
  const now = world.now();
  const { markets } = world;
  const { path, query } = request;
  if (path === '/api/v5/public/time') return result([{ ts: String(now) }]);
  if (path === '/api/v5/public/funding-rate') return result(okxFundingRates(world));
  if (path === '/api/v5/public/instruments' && query.get('instType') === 'SWAP') {
    return result(okxSwaps(world));
  }
  if (path === '/api/v5/public/instruments') return result(markets.map(instrument));
  if (path === '/api/v5/market/tickers') return result(markets.map((one) => ticker(one, now)));
  const market = markets.find(({ symbol }) => idOf(symbol) === query.get('instId'));
  if (path === '/api/v5/market/ticker') {
    return market ? result([ticker(market, now)]) : refuse('51001', 'Instrument ID does not exist');
  }
  if (['/api/v5/market/candles', '/api/v5/market/history-candles'].includes(path)) {
    const timeframe = BARS[query.get('bar') ?? '1m'];
    if (!market || !timeframe) return refuse('51001', 'Instrument ID does not exist');
    const limit = Math.min(Number(query.get('limit') ?? 100), MOST_CANDLES);
    const [before, after] = [query.get('before'), query.get('after')];
    const found = before
      ? market
          .candlesFrom(timeframe, Number(before) + 1, MOST_CANDLES, now)
          .filter(({ openTime }) => !after || openTime < Number(after))
      : market.candles(timeframe, limit, now);
    const rows = found.slice(-limit).reverse();
    return result(
      rows.map((one, index) => [
        ...[String(one.openTime), one.open, one.high, one.low, one.close, one.volume],
        ...['0', '0', index === 0 && !before ? '0' : '1'],
      ]),
    );
  }
  const answer = privatePaths[path];
  if (!answer) return null;
  const refused = isSigned(world, request);
  if (refused) return refused;
  const found = answer(world, query);
  return found === undefined ? refuse('51603', 'Order does not exist') : result(found);
};
