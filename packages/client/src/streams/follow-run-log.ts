import type { OrchestrationClient } from '../create-client';
import { unwrap } from '../unwrap';
import { type FollowSettings, followStream } from './follow-stream';

/**
 * Yields a run's output from the beginning until the run ends. Reconnects after a lost connection
 * and yields nothing twice.
 * @throws RefusedError when the caller may not read the run, or the signal's reason
 */
export async function* followRunLog(
  client: OrchestrationClient,
  runId: string,
  settings: FollowSettings = {},
): AsyncGenerator<string, void, undefined> {
  const { signal } = settings;
  const connect = (lastEventId: string) =>
    unwrap(
      client.GET('/api/heartbeat-runs/{runId}/log/events', {
        params: { path: { runId }, header: lastEventId ? { 'Last-Event-ID': lastEventId } : {} },
        parseAs: 'stream',
        ...(signal && { signal }),
      }),
    );
  for await (const { name, data } of followStream(connect, settings)) {
    if (name === 'ended') return;
    if (name === 'log') yield JSON.parse(data).content;
  }
}
