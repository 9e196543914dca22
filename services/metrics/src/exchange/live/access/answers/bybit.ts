import { z } from 'zod';
import {
  type Answer,
  anything,
  atLeastZero,
  columns,
  cost,
  decimal,
  holding,
  id,
  name,
  object,
  orEmpty,
  positive,
  priced,
  type Shape,
  side,
  soundRows,
  text,
  time,
  within,
  zero,
} from './shapes';

const bybitResult = (result: Shape) => object({ retCode: z.literal(0), result });
const bybitOrder = priced(
  'orderType',
  'price',
  object({
    ...{ symbol: name, orderId: id, side: side('Buy', 'Sell'), orderType: name },
    ...{ price: orEmpty(atLeastZero), qty: positive, orderLinkId: text },
  }),
);
const bybitExecution = z.union([
  object({
    execType: z.literal('Funding'),
    symbol: name,
    execId: id,
    execFee: decimal,
    execTime: time,
  }),
  object({
    ...{ symbol: name, execId: id, orderId: id, side: side('Buy', 'Sell'), execTime: time },
    ...{ execPrice: positive, execQty: positive, execFee: decimal, feeCurrency: text.optional() },
  }),
]);
const bybitPosition = z.union([
  object({ size: zero }),
  object({
    ...{ symbol: name, side: side('Buy', 'Sell'), size: positive, avgPrice: positive },
    ...{ markPrice: positive, unrealisedPnl: decimal, positionIM: orEmpty(atLeastZero) },
    ...{ positionMM: orEmpty(atLeastZero), liqPrice: orEmpty(atLeastZero), updatedTime: time },
    ...{ positionValue: positive, leverage: orEmpty(atLeastZero) },
  }),
]);
const bybitTicker = object({
  symbol: name,
  ...{ lastPrice: positive, prevPrice24h: atLeastZero },
  ...{ bid1Price: orEmpty(atLeastZero).optional(), ask1Price: orEmpty(atLeastZero).optional() },
  ...{ fundingRate: orEmpty(decimal).optional(), nextFundingTime: orEmpty(decimal).optional() },
  ...{ markPrice: orEmpty(atLeastZero).optional(), indexPrice: orEmpty(atLeastZero).optional() },
});

/**
 * 600 requests per five seconds and address, plus limits per path and user:
 * bybit-exchange.github.io/docs/v5/rate-limit.
 */
const ADDRESS = within(600, 5, 'address');

export const BYBIT: Answer[] = [
  [/^GET \/v5\/market\/(time|instruments-info)$/, anything, cost(ADDRESS)],
  [
    /^GET \/v5\/market\/tickers$/,
    bybitResult(object({ list: soundRows(bybitTicker) })),
    cost(ADDRESS, 'collection'),
  ],
  [
    /^GET \/v5\/market\/kline$/,
    bybitResult(object({ list: z.array(columns(7)) })),
    cost(ADDRESS, 'symbol'),
  ],
  [/^GET \/v5\/(user\/query-api|account\/info)$/, anything, cost([ADDRESS, within(10, 1, 'key')])],
  [
    /^GET \/v5\/account\/wallet-balance$/,
    bybitResult(
      object({
        list: z
          .array(
            object({
              accountType: z.enum(['UNIFIED', 'CONTRACT', 'SPOT']),
              coin: z.array(
                holding(
                  object({ coin: name }),
                  object({
                    ...{ walletBalance: decimal, locked: decimal },
                    ...{ borrowAmount: orEmpty(decimal), accruedInterest: orEmpty(decimal) },
                    ...{ totalOrderIM: orEmpty(decimal), totalPositionIM: orEmpty(decimal) },
                  }),
                  ({ coin }) => ({ coin }),
                ),
              ),
            }),
          )
          .min(1),
      }),
    ),
    cost([ADDRESS, within(50, 1, 'key')], 'collection'),
  ],
  [
    /^GET \/v5\/order\/(realtime|history)$/,
    bybitResult(object({ list: z.array(bybitOrder) })),
    cost([ADDRESS, within(50, 1, 'key')], 'grid'),
  ],
  [
    /^GET \/v5\/execution\/list$/,
    bybitResult(object({ list: z.array(bybitExecution), nextPageCursor: text })),
    cost([ADDRESS, within(50, 1, 'key')], 'grid'),
  ],
  [
    /^GET \/v5\/position\/list$/,
    bybitResult(object({ list: z.array(bybitPosition) })),
    cost([ADDRESS, within(50, 1, 'key')], 'perpetuals'),
  ],
  [
    /^GET \/v5\/asset\/deposit\/query-record$/,
    bybitResult(
      object({
        rows: z.array(object({ successAt: atLeastZero })),
      }),
    ),
    cost([ADDRESS, within(100, 60, 'key')], 'collection'),
  ],
  [
    /^GET \/v5\/asset\/withdraw\/query-record$/,
    bybitResult(
      object({
        rows: z.array(object({ createTime: time })),
      }),
    ),
    cost([ADDRESS, within(100, 60, 'key')], 'collection'),
  ],
];
