import { setTimeout as delay } from 'node:timers/promises';
import { NotReached } from './request';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** After about three seconds: a server that starts beside us is there by then. */
const TRIES_UNTOLD = 5;

/**
 * Says something to the server again and again until it takes it. Every message of the protocol may arrive twice. `onAway`
 * hears once of a server that stays away.
 * @throws Refused when the server says no, the reason of `signal` when that ends the attempts
 */
export async function untilTaken<T>(
  say: () => Promise<T>,
  signal: AbortSignal,
  onAway: (error: NotReached) => void = () => undefined,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await say();
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      if (tries === TRIES_UNTOLD) onAway(error);
      await delay(pauseAfter(tries, error), undefined, { signal });
    }
  }
}

/** Longer each time, and never the same for all runs of a runner: they would all come back at once. */
export function pauseAfter(tries: number, { againAfterMs }: Pick<NotReached, 'againAfterMs'>) {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
  const pause = longest * (0.5 + Math.random() / 2);
  return Math.max(pause, Math.min(againAfterMs ?? 0, LONGEST_PAUSE_MS));
}
