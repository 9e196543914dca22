import { setTimeout as delay } from 'node:timers/promises';
import { NotReached } from './request';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/**
 * Number of tries, about three seconds in all. By then a server that started at the same time is
 * ready.
 */
const SILENT_TRIES = 5;

/**
 * Repeats a request until the server accepts it, so every request may arrive twice. Calls `onAway`
 * once, if the first tries fail.
 * @throws Refused, or the reason of `signal`
 */
export async function retryUntilAccepted<T>(
  send: () => Promise<T>,
  signal: AbortSignal,
  onAway: (error: NotReached) => void = () => undefined,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      if (tries === SILENT_TRIES) onAway(error);
      await delay(pauseAfter(tries, error), undefined, { signal });
    }
  }
}

export function pauseAfter(tries: number, { againAfterMs }: Pick<NotReached, 'againAfterMs'>) {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
  const pause = longest * (0.5 + Math.random() / 2);
  return Math.max(pause, Math.min(againAfterMs ?? 0, LONGEST_PAUSE_MS));
}
