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

const okxResult = (data: Shape) => object({ code: z.literal('0'), data });
const okxData = (row: Shape) => okxResult(z.array(row));
const okxFill = object({
  ...{ instId: name, tradeId: id, ordId: id, side: side('buy', 'sell'), ts: time },
  ...{ fillPx: positive, fillSz: positive, fee: decimal, feeCcy: name },
});
const okxPosition = z.union([
  object({ pos: zero }),
  object({
    ...{ instId: name, posSide: z.enum(['net', 'long', 'short']), pos: decimal, cTime: time },
    ...{ avgPx: positive, markPx: positive, upl: decimal, liqPx: orEmpty(atLeastZero) },
    ...{ imr: orEmpty(atLeastZero), mmr: orEmpty(atLeastZero), lever: orEmpty(atLeastZero) },
    ...{ notionalUsd: positive, mgnMode: name },
  }),
]);
const okxTicker = object({
  ...{ instId: name, last: orEmpty(atLeastZero), bidPx: orEmpty(atLeastZero), ts: time },
  ...{ askPx: orEmpty(atLeastZero), open24h: orEmpty(atLeastZero), high24h: orEmpty(atLeastZero) },
  ...{ low24h: orEmpty(atLeastZero), vol24h: orEmpty(atLeastZero) },
});

export const OKX: Answer[] = [
  [/^GET \/api\/v5\/public\/(time|instruments)$/, anything, cost(within(10, 2, 'address'))],
  [
    /^GET \/api\/v5\/public\/funding-rate$/,
    okxResult(
      soundRows(object({ instId: name, fundingRate: decimal, fundingTime: time, ts: time })),
    ),
    cost(within(10, 2, 'address'), 'perpetual'),
  ],
  [
    /^GET \/api\/v5\/market\/tickers?$/,
    okxResult(soundRows(okxTicker)),
    cost(within(20, 2, 'address'), 'collection'),
  ],
  [
    /^GET \/api\/v5\/market\/(candles|history-candles)$/,
    okxData(columns(9)),
    cost(within(20, 2, 'address'), 'symbol'),
  ],
  [
    /^GET \/api\/v5\/account\/balance$/,
    okxResult(
      z
        .array(
          object({
            details: z.array(
              holding(
                object({ ccy: name }),
                object({
                  ...{ eq: decimal, availEq: orEmpty(decimal) },
                  ...{ availBal: orEmpty(decimal), frozenBal: decimal },
                }),
                ({ ccy }) => ({ ccy }),
              ),
            ),
          }),
        )
        .min(1),
    ),
    cost(within(10, 2, 'key'), 'collection'),
  ],
  [/^GET \/api\/v5\/account\/config$/, anything, cost(within(5, 2, 'key'))],
  [
    /^GET \/api\/v5\/account\/positions$/,
    okxData(okxPosition),
    cost(within(10, 2, 'key'), 'perpetuals'),
  ],
  [
    /^GET \/api\/v5\/account\/bills-archive$/,
    okxData(object({ billId: id, instId: name, ccy: name, balChg: decimal, ts: time })),
    cost(within(5, 2, 'key'), 'perpetual'),
  ],
  [
    /^GET \/api\/v5\/trade\/orders-pending$/,
    okxData(
      priced(
        'ordType',
        'px',
        object({
          ...{ instId: name, ordId: id, clOrdId: text, side: side('buy', 'sell') },
          ...{ ordType: name, px: orEmpty(atLeastZero), sz: positive },
        }),
      ),
    ),
    cost(within(60, 2, 'key'), 'grid'),
  ],
  [
    /^GET \/api\/v5\/trade\/order$/,
    okxData(object({ ordId: id, clOrdId: text })),
    cost(within(60, 2, 'key')),
  ],
  [
    /^GET \/api\/v5\/trade\/(fills|fills-history)$/,
    okxData(okxFill),
    cost(within(10, 2, 'key'), 'grid'),
  ],
  [
    /^GET \/api\/v5\/asset\/deposit-history$/,
    okxData(object({ depId: id, ts: time })),
    cost(within(6, 1, 'key'), 'collection'),
  ],
  [
    /^GET \/api\/v5\/asset\/withdrawal-history$/,
    okxData(object({ wdId: id, ts: time })),
    cost(within(6, 1, 'key'), 'collection'),
  ],
];
