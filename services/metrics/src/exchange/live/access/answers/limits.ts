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

export type Per = 'collection' | 'symbol' | 'grids' | 'grid' | 'perpetuals' | 'perpetual';

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
