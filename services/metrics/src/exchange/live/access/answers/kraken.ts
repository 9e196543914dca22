import { z } from 'zod';
import {
  type Answer,
  anything,
  atLeastZero,
  columns,
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

export const KRAKEN: Answer[] = [
  [/^GET \/0\/public\/(Time|Assets|AssetPairs)$/, anything],
  [/^GET \/0\/public\/Ticker$/, krakenResult(soundEntries(krakenTicker))],
  [
    /^GET \/0\/public\/OHLC$/,
    krakenResult(byName(z.union([z.array(columns(8)), z.number(), z.string()]))),
  ],
  [
    /^POST \/0\/private\/BalanceEx$/,
    krakenResult(
      byName(holding(object({}), object({ balance: decimal, hold_trade: decimal }), () => ({}))),
    ),
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
                // A trailing stop has one such as +5.0000%.
                price: text,
              }),
            ),
            vol: positive,
          }),
        ),
      }),
    ),
  ],
  [/^POST \/0\/private\/QueryOrders$/, krakenResult(byName(object({ descr: object({}) })))],
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
  ],
  [/^POST \/0\/private\/(GetApiKeyInfo|Ledgers)$/, anything],
  [/^POST \/0\/private\/(DepositStatus|WithdrawStatus)$/, krakenResult(krakenTransfers)],
];
