import { malformed } from '../failure';

/** Some exchanges cut start and end to seconds. */
const SHORTEST_WINDOW_MS = 1_000;
/** In one reading; the next one goes on from there. */
const MOST_CALLS = 40;

export interface Windows {
  /** Milliseconds of the exchange's clock. */
  since: number;
  until: number;
  /** The longest time between start and end that the exchange takes. */
  longestMs: number;
  /** No page is smaller, so that fewer rows than this are all of them. */
  smallestPage: number;
  /** What a page may hold, where that is known. */
  largestPage?: number | undefined;
}

export interface WindowRead {
  /** Rows that came, whatever they are of. */
  count: number;
  keep(): void;
}

/**
 * Reads windows of time, each halved until its page is not full, in order of time.
 * @returns until when everything was read: less than was wanted when it takes too many calls
 * @throws ExchangeFailure `malformed` when more happened in a second than a page holds
 */
export async function readWindows(
  { since, until, longestMs, smallestPage, largestPage = smallestPage }: Windows,
  target: string,
  ask: (from: number, to: number) => Promise<WindowRead>,
): Promise<number> {
  const waiting = [{ from: since, to: Math.min(since + longestMs, until) }];
  let readUntil = since;
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const window = waiting.pop();
    if (!window) break;
    const { from, to } = window;
    const { count, keep } = await ask(from, to);
    if (count >= smallestPage && to - from > SHORTEST_WINDOW_MS) {
      const middle = Math.floor((from + to) / 2);
      waiting.push({ from: middle, to }, { from, to: middle });
      continue;
    }
    if (count >= largestPage) throw malformed(target, 'more in a second than the exchange shows');
    keep();
    readUntil = to;
    if (waiting.length === 0 && to < until) {
      waiting.push({ from: to, to: Math.min(to + longestMs, until) });
    }
  }
  return readUntil;
}
