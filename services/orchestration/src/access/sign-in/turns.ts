import { ApiError, unavailable } from '@switchyard/server';

export interface TurnsOptions {
  atOnce: number;
  waitingEach: number;
  waitingInAll: number;
}

/**
 * Limits concurrent work. Keys are served in turn, so that a busy key does not delay the others.
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
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  const wait = (key: string): Promise<void> => {
    const line = lines.get(key) ?? [];
    if (line.length >= waitingEach) throw tooManyOf();
    if (waiting >= waitingInAll)
      throw unavailable('too many requests are waiting; try again later');
    waiting++;
    return new Promise((resolve) => {
      lines.set(key, [...line, resolve]);
    });
  };
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
