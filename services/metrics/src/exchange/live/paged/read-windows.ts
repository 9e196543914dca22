import { malformed } from '../../failure';
import type { PagesRead } from './read-pages';

/** Some exchanges cut start and end to seconds. */
const SHORTEST_WINDOW_MS = 1_000;
/** In one reading; the next one goes on from there. */
const MOST_WINDOWS = 40;

export interface Windows {
  since: number;
  until: number;
  longestMs: number;
}

/**
 * Reads windows of time, each halved until it is read whole, in order of time. A row at the common
 * edge of two windows is found twice.
 * @returns until when everything was read: less than was wanted when it takes too many windows
 * @throws ExchangeFailure `malformed` when more happened in a second than the exchange shows
 */
export async function readWindows<Row>(
  { since, until, longestMs }: Windows,
  target: string,
  ask: (from: number, to: number) => Promise<PagesRead<Row>>,
): Promise<{ rows: Row[]; until: number }> {
  const found: Row[] = [];
  const waiting = [{ from: since, to: Math.min(since + longestMs, until) }];
  let readUntil = since;
  for (let asked = 0; asked < MOST_WINDOWS; asked++) {
    const window = waiting.pop();
    if (!window) break;
    const { from, to } = window;
    const { rows, isWhole } = await ask(from, to);
    if (!isWhole) {
      if (to - from <= SHORTEST_WINDOW_MS) {
        throw malformed(target, 'more in a second than the exchange shows');
      }
      const middle = Math.floor((from + to) / 2);
      waiting.push({ from: middle, to }, { from, to: middle });
      continue;
    }
    found.push(...rows);
    readUntil = to;
    if (waiting.length === 0 && to < until) {
      waiting.push({ from: to, to: Math.min(to + longestMs, until) });
    }
  }
  return { rows: found, until: readUntil };
}
