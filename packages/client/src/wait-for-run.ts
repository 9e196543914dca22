import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { unwrap } from './unwrap';

export interface WaitSettings {
  /** Polling interval in ms; 1000 if absent. */
  intervalMs?: number;
  signal?: AbortSignal;
}

/**
 * Returns a run once it has ended with any `status`. Waits through restarts and overload of the
 * service.
 * @throws RefusedError when the caller may not read the run, or the signal's reason
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
