import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { unwrap } from './unwrap';

export interface WaitSettings {
  /** Pause between two reads in ms; 1000 if absent. */
  intervalMs?: number;
  signal?: AbortSignal;
}

/**
 * Returns a run once it has ended with any `status`. Continues while the service restarts or is busy. @throws RefusedError when the caller may
 * not read the run, and the reason of the signal
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
