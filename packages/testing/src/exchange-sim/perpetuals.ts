import type { SimPosition } from './account';
import type { SimWorld } from './dialect';
import type { SimMarket } from './market';

const HOUR = 3_600_000;
const FUNDING_MS = 8 * HOUR;
const CONTRACT = 0.01;

const bare = (symbol: string) => symbol.replace('/', '');
const dashed = (symbol: string) => `${symbol.replace('/', '-')}-SWAP`;

const rateAt = (index: number, now: number) =>
  (0.0001 + 0.00005 * Math.sin(now / (40 * HOUR) + index)).toFixed(8);
const nextFunding = (now: number) => (Math.floor(now / FUNDING_MS) + 1) * FUNDING_MS;

function worthOf({ markets, now }: SimWorld, position: SimPosition) {
  const market = markets.find(({ symbol }) => symbol === position.symbol) as SimMarket;
  const mark = Number(market.ticker(now()).last);
  const { amount, entryPrice, leverage } = position;
  const value = Math.abs(amount * mark);
  return {
    mark: mark.toFixed(2),
    profit: (amount * (mark - entryPrice)).toFixed(8),
    value: value.toFixed(8),
    initial: (value / leverage).toFixed(8),
    maintenance: (value * 0.004).toFixed(8),
    liquidation: (entryPrice * (amount > 0 ? 0.91 : 1.09)).toFixed(2),
  };
}

export function binanceFutures(world: SimWorld, path: string): unknown {
  const { markets } = world;
  const now = world.now();
  if (path === '/fapi/v1/exchangeInfo') {
    const symbols = markets.map(({ symbol, base, quote, tick, amountStep }) => ({
      symbol: bare(symbol),
      pair: bare(symbol),
      contractType: 'PERPETUAL',
      deliveryDate: 4_133_404_800_000,
      status: 'TRADING',
      baseAsset: base,
      quoteAsset: quote,
      marginAsset: quote,
      pricePrecision: 2,
      quantityPrecision: 3,
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice: '10000000', tickSize: tick },
        { filterType: 'LOT_SIZE', minQty: amountStep, maxQty: '100000', stepSize: amountStep },
      ],
    }));
    return { timezone: 'UTC', serverTime: now, rateLimits: [], exchangeFilters: [], symbols };
  }
  if (path !== '/fapi/v1/premiumIndex') return undefined;
  return markets.map((market, index) => ({
    symbol: bare(market.symbol),
    markPrice: market.ticker(now).last,
    indexPrice: market.ticker(now).last,
    lastFundingRate: rateAt(index, now),
    nextFundingTime: nextFunding(now),
    time: now,
  }));
}

function paymentsOf(
  { account }: SimWorld,
  query: URLSearchParams,
  by: { symbol: string; id: (symbol: string) => string; start: string; end: string },
) {
  const wanted = query.get(by.symbol);
  const start = Number(query.get(by.start) ?? 0);
  const end = Number(query.get(by.end) ?? Number.POSITIVE_INFINITY);
  return account.fundingPayments
    .filter(({ symbol }) => wanted === null || by.id(symbol) === wanted)
    .filter(({ time }) => time >= start && time <= end)
    .sort((one, other) => one.time - other.time);
}

const pageSize = (query: URLSearchParams, most: number) =>
  Math.min(Number(query.get('limit') ?? 100), most);

export const BINANCE_FUTURES_ACCOUNT: Record<
  string,
  (world: SimWorld, symbol: string | null, query: URLSearchParams) => unknown
> = {
  '/fapi/v1/leverageBracket': ({ markets }) =>
    markets.map(({ symbol }) => ({
      symbol: bare(symbol),
      brackets: [
        {
          bracket: 1,
          initialLeverage: 100,
          notionalCap: 1_000_000,
          notionalFloor: 0,
          maintMarginRatio: 0.004,
          cum: 0,
        },
      ],
    })),
  '/fapi/v3/positionRisk': (world) =>
    world.account.positions.map((position) => {
      const value = worthOf(world, position);
      return {
        symbol: bare(position.symbol),
        positionSide: 'BOTH',
        positionAmt: String(position.amount),
        entryPrice: String(position.entryPrice),
        markPrice: value.mark,
        unRealizedProfit: value.profit,
        liquidationPrice: value.liquidation,
        isolatedMargin: '0',
        notional: position.amount > 0 ? value.value : `-${value.value}`,
        initialMargin: value.initial,
        maintMargin: value.maintenance,
        marginAsset: 'USDT',
        updateTime: world.now(),
      };
    }),
  '/fapi/v3/account': (world) => {
    const { margin, positions } = world.account;
    const profit = positions.reduce((sum, one) => sum + Number(worthOf(world, one).profit), 0);
    return {
      totalWalletBalance: margin,
      assets: [
        {
          asset: 'USDT',
          walletBalance: margin,
          unrealizedProfit: profit.toFixed(8),
          marginBalance: (Number(margin) + profit).toFixed(8),
          availableBalance: margin,
          initialMargin: '0',
        },
      ],
      positions: [],
    };
  },
  '/fapi/v1/income': (world, _symbol, query) => {
    const by = { symbol: 'symbol', id: bare, start: 'startTime', end: 'endTime' };
    const oldest = paymentsOf(world, query, by).slice(0, pageSize(query, 1000));
    return oldest.map((one) => ({
      symbol: bare(one.symbol),
      incomeType: 'FUNDING_FEE',
      income: one.received,
      asset: 'USDT',
      time: one.time,
      tranId: one.id,
    }));
  },
};

export const bybitPerpetuals = ({ markets }: SimWorld) => ({
  category: 'linear',
  list: markets.map(({ symbol, base, quote, tick, amountStep }) => ({
    symbol: bare(symbol),
    contractType: 'LinearPerpetual',
    status: 'Trading',
    baseCoin: base,
    quoteCoin: quote,
    settleCoin: quote,
    deliveryTime: '0',
    leverageFilter: { minLeverage: '1', maxLeverage: '100', leverageStep: '0.01' },
    priceFilter: { minPrice: tick, maxPrice: '10000000', tickSize: tick },
    lotSizeFilter: { minOrderQty: amountStep, maxOrderQty: '100000', qtyStep: amountStep },
    fundingInterval: 480,
  })),
  nextPageCursor: '',
});

export function bybitFundingRates({ markets, now }: SimWorld) {
  const time = now();
  const list = markets.map((market, index) => ({
    symbol: bare(market.symbol),
    lastPrice: market.ticker(time).last,
    prevPrice24h: market.ticker(time).open,
    markPrice: market.ticker(time).last,
    indexPrice: market.ticker(time).last,
    fundingRate: rateAt(index, time),
    nextFundingTime: String(nextFunding(time)),
  }));
  return { category: 'linear', list };
}

export const bybitPositions = (world: SimWorld) => ({
  category: 'linear',
  nextPageCursor: '',
  list: world.account.positions.map((position) => {
    const value = worthOf(world, position);
    return {
      symbol: bare(position.symbol),
      side: position.amount > 0 ? 'Buy' : 'Sell',
      size: String(Math.abs(position.amount)),
      avgPrice: String(position.entryPrice),
      markPrice: value.mark,
      liqPrice: value.liquidation,
      unrealisedPnl: value.profit,
      positionValue: value.value,
      positionIM: value.initial,
      positionMM: value.maintenance,
      leverage: String(position.leverage),
      tradeMode: 0,
      positionIdx: 0,
      updatedTime: String(world.now()),
    };
  }),
});

export function bybitFundingPayments(world: SimWorld, query: URLSearchParams) {
  const by = { symbol: 'symbol', id: bare, start: 'startTime', end: 'endTime' };
  const newest = paymentsOf(world, query, by).reverse();
  return newest.map((one) => ({
    symbol: bare(one.symbol),
    execId: one.id,
    execType: 'Funding',
    // Bybit reports the fee paid, so a received amount is negative.
    execFee: String(-Number(one.received)),
    feeRate: '0.0001',
    execTime: String(one.time),
  }));
}

export const okxSwaps = ({ markets }: SimWorld) =>
  markets.map(({ symbol, base, quote, tick }) => ({
    instType: 'SWAP',
    instId: dashed(symbol),
    uly: `${base}-${quote}`,
    settleCcy: quote,
    ctVal: String(CONTRACT),
    ctMult: '1',
    ctValCcy: base,
    ctType: 'linear',
    tickSz: tick,
    lotSz: '1',
    minSz: '1',
    state: 'live',
    lever: '100',
  }));

export function okxFundingRates({ markets, now }: SimWorld) {
  const time = now();
  return markets.map((market, index) => ({
    instType: 'SWAP',
    instId: dashed(market.symbol),
    fundingRate: rateAt(index, time),
    fundingTime: String(nextFunding(time)),
    nextFundingRate: '',
    nextFundingTime: String(nextFunding(time) + FUNDING_MS),
    ts: String(time),
  }));
}

export const OKX_PERPETUALS_ACCOUNT: Record<
  string,
  (world: SimWorld, query: URLSearchParams) => unknown
> = {
  '/api/v5/account/positions': (world) =>
    world.account.positions.map((position) => {
      const value = worthOf(world, position);
      return {
        instType: 'SWAP',
        instId: dashed(position.symbol),
        posSide: 'net',
        pos: String(position.amount / CONTRACT),
        avgPx: String(position.entryPrice),
        markPx: value.mark,
        liqPx: value.liquidation,
        upl: value.profit,
        notionalUsd: value.value,
        imr: value.initial,
        mmr: value.maintenance,
        lever: String(position.leverage),
        mgnMode: 'cross',
        cTime: String(world.now()),
        uTime: String(world.now()),
      };
    }),
  '/api/v5/account/bills-archive': (world, query) => {
    const by = { symbol: 'instId', id: dashed, start: 'begin', end: 'end' };
    const newest = paymentsOf(world, query, by).reverse().slice(0, pageSize(query, 100));
    return newest.map((one) => ({
      billId: one.id,
      instId: dashed(one.symbol),
      instType: 'SWAP',
      ccy: 'USDT',
      type: '8',
      balChg: one.received,
      posBalChg: '0',
      ts: String(one.time),
    }));
  },
};

/**
 * Unrealised profit of open positions in USDT. It is part of the equity if spot and perpetuals
 * share an account.
 */
export const openProfit = (world: SimWorld): number =>
  world.account.positions.reduce((sum, one) => sum + Number(worthOf(world, one).profit), 0);
