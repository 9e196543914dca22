import type { OrchestrationClient, Schemas } from './create-client';
import { readUntil } from './read-until';
import { unwrap } from './unwrap';

export interface WaitSettings {
  intervalMs?: number;
  signal?: AbortSignal;
}

/**
 * Returns a run once it has ended with any `status`. Keeps waiting while the service restarts or is
 * overloaded.
 * @throws RefusedError when the caller may not read the run, or the signal's reason
 */
export function waitForRun(
  client: OrchestrationClient,
  runId: string,
  { intervalMs = 1_000, signal }: WaitSettings = {},
): Promise<Schemas['HeartbeatRunDetail']> {
  const init = { params: { path: { runId } }, ...(signal && { signal }) };
  return readUntil(
    () => unwrap(client.GET('/api/heartbeat-runs/{runId}', init)),
    ({ finishedAt }) => finishedAt !== null,
    { intervalMs, signal },
  );
}
