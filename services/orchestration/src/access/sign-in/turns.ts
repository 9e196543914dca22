import { ApiError, unavailable } from '@switchyard/server';

export interface TurnsOptions {
  atOnce: number;
  /** How many of one key may wait, and of all keys. */
  waitingEach: number;
  waitingInAll: number;
}

/**
 * Does work of which only so much may go on at once; who waits takes turns by key, so that one that
 * brings much does not hold up the others.
 */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

const tooManyOf = () =>
  new ApiError(
    'rate_limited',
    'too many requests at once; try again later',
    { retryAfterSec: 1 },
    {
      'Retry-After': '1',
    },
  );

export function createTurns({ atOnce, waitingEach, waitingInAll }: TurnsOptions): Turns {
  /** A line for each key, in the order in which the keys have their turn. */
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  const wait = (key: string): Promise<void> => {
    const line = lines.get(key) ?? [];
    if (line.length >= waitingEach) throw tooManyOf();
    if (waiting >= waitingInAll) throw unavailable('too many wait for this now; try again later');
    waiting++;
    return new Promise((resolve) => {
      lines.set(key, [...line, resolve]);
    });
  };
  /** The place goes from who is done to who is next, so that nobody slips in between. */
  const pass = () => {
    const [next] = lines;
    if (!next) {
      running--;
      return;
    }
    const [key, [begin, ...rest]] = next;
    lines.delete(key);
    if (rest.length > 0) lines.set(key, rest);
    waiting--;
    begin?.();
  };
  return async (key, work) => {
    if (running >= atOnce) await wait(key);
    else running++;
    try {
      return await work();
    } finally {
      pass();
    }
  };
}
