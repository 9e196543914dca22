import { type ZodType, z } from 'zod';
import { readDecimal } from '../../../../decimal';

export type Shape = ZodType;
/**
 * Read-only method and path, the shape of the response, and the cost. The order in a list is the
 * priority.
 */
export type Answer = readonly [path: RegExp, shape: Shape, cost: Cost];

const isBelowZero = (value: unknown) => readDecimal(value)?.lt(0) ?? false;

export const decimal = z
  .union([z.string(), z.number()])
  .refine((value) => readDecimal(value) !== null, 'must be a number');
export const atLeastZero = decimal.refine((value) => !isBelowZero(value), 'must not be negative');
export const positive = decimal.refine((value) => readDecimal(value)?.gt(0), 'must be above 0');
export const zero = decimal.refine((value) => readDecimal(value)?.isZero(), 'must be 0');
export const orEmpty = (shape: Shape) => z.union([z.literal(''), shape]);
export const name = z.string().min(1);
export const id = z.union([z.number().int().nonnegative(), name]);
export const time = decimal.refine((value) => readDecimal(value)?.gt(0), 'must be a time');
export const date = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date');
export const anything = z.unknown();
export const object = z.looseObject;

export const columns = (least: number) => z.array(anything).min(least);
export const text = z.string();

export const soundRows = (row: Shape) =>
  z.array(anything).transform((rows) => rows.filter((one) => row.safeParse(one).success));
export const soundEntries = (row: Shape) =>
  z
    .record(z.string(), anything)
    .transform((rows) =>
      Object.fromEntries(Object.entries(rows).filter(([, one]) => row.safeParse(one).success)),
    );

/**
 * Returns the row. If an amount is unreadable, returns the `bare` row without amounts, and the
 * reader of balances reports the failure.
 */
export const holding = (key: z.ZodObject, amounts: Shape, bare: (row: never) => object) =>
  key.transform((row) => (amounts.safeParse(row).success ? row : bare(row as never)));

export const side = (...words: [string, string]) => z.enum(words);

export const priced = (type: string, price: string, order: z.ZodObject) =>
  order.refine(
    (row) => !/^limit/i.test(String(row[type])) || positive.safeParse(row[price]).success,
    { path: [price], error: 'must be above 0' },
  );

/**
 * An exchange's rate counter: requests raise it and time lowers it. The exchange rejects requests
 * above `burst`.
 */
export interface Counter {
  of: 'key' | 'address';
  burst: number;
  perSecond: number;
  isOneByOne?: boolean;
}

type Per = 'collection' | 'symbol' | 'grids' | 'grid' | 'perpetuals' | 'perpetual';

export interface Cost {
  counters: readonly Counter[];
  weight: number | ((query: URLSearchParams) => number);
  per?: Per | undefined;
}

/**
 * A limit of `count` requests per `seconds`. Half of it is available as a burst, the other half is
 * refilled over that time, so no window of that length exceeds the limit.
 */
export const within = (count: number, seconds: number, of: Counter['of']): Counter => ({
  of,
  burst: count / 2,
  perSecond: count / 2 / seconds,
});

export const cost = (
  counters: Counter | readonly Counter[],
  per?: Per,
  weight: Cost['weight'] = 1,
): Cost => ({ counters: [counters].flat(), weight, per });

export const weightOf = ({ weight }: Cost, query: URLSearchParams): number =>
  typeof weight === 'number' ? weight : weight(query);

export function secondsFor(costs: readonly Cost[], times: Record<Per, number>): number {
  const totals = new Map<Counter, number>();
  for (const one of costs) {
    const weight = one.per ? weightOf(one, new URLSearchParams()) * times[one.per] : 0;
    for (const counter of one.counters) {
      totals.set(counter, (totals.get(counter) ?? 0) + weight);
    }
  }
  const waits = [...totals].map(([{ burst, perSecond }, total]) => (total - burst) / perSecond);
  return Math.max(0, ...waits);
}
