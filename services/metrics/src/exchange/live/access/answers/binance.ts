import { z } from 'zod';
import {
  type Answer,
  anything,
  atLeastZero,
  columns,
  cost,
  date,
  decimal,
  holding,
  id,
  name,
  object,
  positive,
  priced,
  side,
  soundRows,
  time,
  within,
  zero,
} from './shapes';

const binanceTicker = object({
  symbol: name,
  ...{ lastPrice: atLeastZero, bidPrice: atLeastZero, askPrice: atLeastZero },
  ...{ openPrice: atLeastZero, highPrice: atLeastZero, lowPrice: atLeastZero },
  ...{ volume: atLeastZero, quoteVolume: atLeastZero, closeTime: time },
});

/** Limits of spot, wallet and USD-M futures: developers.binance.com. */
const SPOT = within(6_000, 60, 'address');
const WALLET = within(12_000, 60, 'address');
const WITHDRAWALS = within(10, 60, 'key');
const PER_SECOND = within(10, 1, 'key');
const FUTURES = within(2_400, 60, 'address');

const weightOfTickers = (query: URLSearchParams) => (query.has('symbols') ? 80 : 2);

export const BINANCE: Answer[] = [
  [/^GET \/api\/v3\/(ping|time|exchangeInfo|depth)$/, anything, cost(SPOT, undefined, 20)],
  [
    /^GET \/api\/v3\/ticker\/24hr$/,
    z.union([binanceTicker, soundRows(binanceTicker)]),
    cost(SPOT, 'symbol', weightOfTickers),
  ],
  [/^GET \/api\/v3\/ticker\/(bookTicker|price)$/, anything, cost(SPOT, undefined, 4)],
  [/^GET \/api\/v3\/klines$/, z.array(columns(12)), cost(SPOT, 'symbol', 2)],
  [
    /^GET \/api\/v3\/account$/,
    object({
      balances: z.array(
        holding(
          object({ asset: name }),
          object({ free: decimal, locked: decimal }),
          ({ asset }) => ({
            asset,
          }),
        ),
      ),
    }),
    cost(SPOT, 'collection', 20),
  ],
  [
    /^GET \/api\/v3\/openOrders$/,
    z.array(
      priced(
        'type',
        'price',
        object({
          ...{ symbol: name, orderId: id, side: side('BUY', 'SELL') },
          ...{ type: name, price: atLeastZero, origQty: positive },
        }),
      ),
    ),
    cost(SPOT, 'grid', 6),
  ],
  [/^GET \/api\/v3\/order$/, object({ symbol: name, orderId: id }), cost(SPOT, undefined, 4)],
  [
    /^GET \/api\/v3\/myTrades$/,
    z.array(
      object({
        ...{ symbol: name, id, orderId: id, price: positive, qty: positive, time },
        ...{ commission: decimal, commissionAsset: name },
        ...{ isBuyer: z.boolean(), isMaker: z.boolean() },
      }),
    ),
    cost(SPOT, 'grid', 20),
  ],
  [/^GET \/fapi\/v1\/(time|exchangeInfo|leverageBracket)$/, anything, cost(FUTURES)],
  [
    /^GET \/fapi\/v1\/premiumIndex$/,
    soundRows(object({ symbol: name, lastFundingRate: decimal, nextFundingTime: time, time })),
    cost(FUTURES, 'perpetuals', 10),
  ],
  [
    /^GET \/fapi\/v1\/income$/,
    z.array(object({ symbol: name, incomeType: name, income: decimal, asset: name, time })),
    cost(FUTURES, 'perpetual', 30),
  ],
  [
    /^GET \/fapi\/v3\/account$/,
    object({ assets: z.array(object({ asset: name, marginBalance: decimal })) }),
    cost(FUTURES, 'perpetuals', 5),
  ],
  [
    /^GET \/fapi\/v3\/positionRisk$/,
    // A zero amount needs no other field: Binance also lists symbols with orders but no position.
    z.array(
      z.union([
        object({ positionAmt: zero }),
        object({
          ...{ symbol: name, positionSide: z.enum(['BOTH', 'LONG', 'SHORT']), updateTime: time },
          ...{ positionAmt: decimal, entryPrice: atLeastZero, markPrice: positive },
          ...{ unRealizedProfit: decimal, notional: decimal, liquidationPrice: atLeastZero },
          ...{ initialMargin: atLeastZero, maintMargin: atLeastZero, isolatedMargin: atLeastZero },
        }),
      ]),
    ),
    cost(FUTURES, 'perpetuals', 5),
  ],
  [/^GET \/sapi\/v1\/account\/apiRestrictions$/, anything, cost(WALLET)],
  [
    /^GET \/sapi\/v1\/capital\/deposit\/hisrec$/,
    z.array(object({ insertTime: time })),
    cost([WALLET, PER_SECOND], 'collection'),
  ],
  [
    /^GET \/sapi\/v1\/capital\/withdraw\/history$/,
    z.array(object({ applyTime: date })),
    cost([WITHDRAWALS, PER_SECOND], 'collection'),
  ],
];
