import { z } from 'zod';
import {
  type Answer,
  anything,
  atLeastZero,
  type Counter,
  columns,
  cost,
  decimal,
  holding,
  id,
  name,
  object,
  positive,
  priced,
  type Shape,
  side,
  soundEntries,
  text,
  time,
} from './shapes';

const krakenResult = (result: Shape) => object({ error: z.array(anything).length(0), result });
const byName = (row: Shape) => z.record(z.string(), row);
const first = (least: number) =>
  columns(least).refine(
    ([value]) => atLeastZero.safeParse(value).success,
    'must begin with a number',
  );
const krakenTicker = object({
  ...{ a: first(3), b: first(3), c: first(2), o: atLeastZero },
  ...{ v: first(2), p: first(2), l: first(2), h: first(2) },
});
const krakenTransfers = z.array(object({ time }));

/**
 * Lowest tier: each key may use 15 points and regains 0.33 per second (docs.kraken.com, "Spot REST
 * Rate Limits"). `burst` is one point lower, because requests may arrive closer together than they
 * were sent. Requests are sent one by one, because a later nonce must not arrive first.
 */
const PRIVATE: Counter = { of: 'key', burst: 14, perSecond: 0.33, isOneByOne: true };
const PUBLIC: Counter = { of: 'address', burst: 1, perSecond: 1 };

export const KRAKEN: Answer[] = [
  [/^GET \/0\/public\/(Time|Assets|AssetPairs)$/, anything, cost(PUBLIC)],
  [
    /^GET \/0\/public\/Ticker$/,
    krakenResult(soundEntries(krakenTicker)),
    cost(PUBLIC, 'collection'),
  ],
  [
    /^GET \/0\/public\/OHLC$/,
    krakenResult(byName(z.union([z.array(columns(8)), z.number(), z.string()]))),
    cost(PUBLIC, 'symbol'),
  ],
  [
    /^POST \/0\/private\/BalanceEx$/,
    krakenResult(
      byName(holding(object({}), object({ balance: decimal, hold_trade: decimal }), () => ({}))),
    ),
    cost(PRIVATE, 'collection'),
  ],
  [
    /^POST \/0\/private\/OpenOrders$/,
    krakenResult(
      object({
        open: byName(
          object({
            descr: priced(
              'ordertype',
              'price',
              object({
                pair: name,
                type: side('buy', 'sell'),
                ordertype: name,
                price: text,
              }),
            ),
            vol: positive,
          }),
        ),
      }),
    ),
    cost(PRIVATE, 'grids'),
  ],
  [
    /^POST \/0\/private\/QueryOrders$/,
    krakenResult(byName(object({ descr: object({}) }))),
    cost(PRIVATE),
  ],
  [
    /^POST \/0\/private\/TradesHistory$/,
    krakenResult(
      object({
        count: atLeastZero,
        trades: byName(
          object({
            ...{ ordertxid: id, pair: name, time, type: side('buy', 'sell') },
            ...{ price: positive, vol: positive, fee: decimal },
          }),
        ),
      }),
    ),
    cost(PRIVATE, 'grids', 2),
  ],
  [/^POST \/0\/private\/(GetApiKeyInfo|Ledgers)$/, anything, cost(PRIVATE, undefined, 2)],
  [
    /^POST \/0\/private\/DepositStatus$/,
    krakenResult(krakenTransfers),
    cost(PRIVATE, 'collection'),
  ],
  [
    /^POST \/0\/private\/WithdrawStatus$/,
    krakenResult(krakenTransfers),
    cost(PRIVATE, 'collection'),
  ],
];
