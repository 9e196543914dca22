import { malformed } from '../../failure';
import type { PagesRead } from './read-pages';

/** Smallest window in ms, because some exchanges truncate start and end to seconds. */
const SHORTEST_WINDOW_MS = 1_000;
const MOST_WINDOWS = 40;

export interface Windows {
  since: number;
  until: number;
  longestMs: number;
}

/**
 * Reads time windows in order, and halves each window until it is read completely. May return a row
 * on the boundary of two windows twice.
 * @returns the rows and the end of the completely read range, which is before `until` if the range
 * needs too many windows
 * @throws ExchangeFailure `malformed` if one second has more rows than the exchange returns
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
        throw malformed(target, 'one second has more rows than the exchange returns in one answer');
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
