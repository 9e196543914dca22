import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { unwrap } from './unwrap';

export interface WaitSettings {
  /** How often the run is read; 1000 when left out. */
  intervalMs?: number;
  /** Ends the wait: `AbortSignal.timeout(60_000)`. */
  signal?: AbortSignal;
}

/**
 * A run once it has ended, whichever way: look at its `status`. Goes on while the service is restarted or busy.
 * @throws RefusedError when the run may not be read, and the reason of the signal
 */
export async function waitForRun(
  client: OrchestrationClient,
  runId: string,
  { intervalMs = 1_000, signal }: WaitSettings = {},
): Promise<Schemas['HeartbeatRunDetail']> {
  const init = { params: { path: { runId } }, ...(signal && { signal }) };
  let connected = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const run = await unwrap(client.GET('/api/heartbeat-runs/{runId}', init));
      if (run.finishedAt) return run;
      connected = true;
    } catch (error) {
      if (!isTemporary(error, connected)) throw error;
    }
    await delay(intervalMs, signal);
  }
}
