import { delay } from './delay';
import { isTemporary } from './is-temporary';

const RETRY_MS = 1_000;

export async function readUntil<Found>(
  read: () => Promise<Found>,
  isOver: (found: Found) => boolean,
  { intervalMs, signal }: { intervalMs: number; signal: AbortSignal | undefined },
): Promise<Found> {
  let connected = false;
  for (;;) {
    signal?.throwIfAborted();
    let pauseMs = intervalMs;
    try {
      const found = await read();
      if (isOver(found)) return found;
      connected = true;
    } catch (error) {
      if (!isTemporary(error, connected)) throw error;
      pauseMs = Math.max(intervalMs, RETRY_MS);
    }
    await delay(pauseMs, signal);
  }
}
