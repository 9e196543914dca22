/** A counter that an exchange keeps: requests raise it, time lowers it, and above `burst` requests are refused. */
export interface Counter {
  of: 'key' | 'address';
  burst: number;
  perSecond: number;
  /** True where a request must be answered before the next one is sent. */
  isOneByOne?: boolean;
}

/** How many times a collection sends a request; `grid` counts each symbol that has grids. */
export type Per = 'collection' | 'symbol' | 'grids' | 'grid' | 'perpetuals' | 'perpetual';

export interface Cost {
  counters: readonly Counter[];
  weight: number | ((query: URLSearchParams) => number);
  per?: Per | undefined;
}

/**
 * A limit of `count` in any `seconds`. Half of it may be used at once and half as time passes, so that no window of that
 * length holds more, wherever the exchange lets it begin.
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
