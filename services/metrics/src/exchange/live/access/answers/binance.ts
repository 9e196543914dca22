import { z } from 'zod';
import {
  type Answer,
  anything,
  atLeastZero,
  columns,
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
  zero,
} from './shapes';

const binanceTicker = object({
  symbol: name,
  ...{ lastPrice: atLeastZero, bidPrice: atLeastZero, askPrice: atLeastZero },
  ...{ openPrice: atLeastZero, highPrice: atLeastZero, lowPrice: atLeastZero },
  ...{ volume: atLeastZero, quoteVolume: atLeastZero, closeTime: time },
});

export const BINANCE: Answer[] = [
  [/^GET \/api\/v3\/(ping|time|exchangeInfo|depth)$/, anything],
  [/^GET \/api\/v3\/ticker\/24hr$/, z.union([binanceTicker, soundRows(binanceTicker)])],
  [/^GET \/api\/v3\/ticker\/(bookTicker|price)$/, anything],
  [/^GET \/api\/v3\/klines$/, z.array(columns(12))],
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
  ],
  [/^GET \/api\/v3\/order$/, object({ symbol: name, orderId: id })],
  [
    /^GET \/api\/v3\/myTrades$/,
    z.array(
      object({
        ...{ symbol: name, id, orderId: id, price: positive, qty: positive, time },
        ...{ commission: decimal, commissionAsset: name },
        ...{ isBuyer: z.boolean(), isMaker: z.boolean() },
      }),
    ),
  ],
  [/^GET \/fapi\/v1\/(time|exchangeInfo|leverageBracket)$/, anything],
  [
    /^GET \/fapi\/v1\/premiumIndex$/,
    soundRows(object({ symbol: name, lastFundingRate: decimal, nextFundingTime: time, time })),
  ],
  [
    /^GET \/fapi\/v1\/income$/,
    z.array(object({ symbol: name, incomeType: name, income: decimal, asset: name, time })),
  ],
  [
    /^GET \/fapi\/v3\/account$/,
    object({ assets: z.array(object({ asset: name, marginBalance: decimal })) }),
  ],
  [
    /^GET \/fapi\/v3\/positionRisk$/,
    // A symbol without a position is listed for its open orders.
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
  ],
  [/^GET \/sapi\/v1\/account\/apiRestrictions$/, anything],
  [/^GET \/sapi\/v1\/capital\/deposit\/hisrec$/, z.array(object({ insertTime: time }))],
  [/^GET \/sapi\/v1\/capital\/withdraw\/history$/, z.array(object({ applyTime: date }))],
];
