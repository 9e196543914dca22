import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events';
import { unwrap } from './unwrap';

export interface FollowSettings {
  /** The `id` of the last event that was worked on; from now on when left out. */
  lastEventId?: string;
  signal?: AbortSignal;
}

export interface ActivityEvent {
  /** Keep it to go on behind this event later. */
  id: string;
  activity: Schemas['Activity'];
}

/**
 * The activity of a company as it happens, each event once. Connects again when the connection ends, and goes on where it
 * was. Leaving the loop closes the connection.
 * @throws RefusedError when the company may not be followed, and the reason of the signal
 */
export async function* followActivity(
  client: OrchestrationClient,
  companyId: string,
  { lastEventId = '', signal }: FollowSettings = {},
): AsyncGenerator<ActivityEvent, void, undefined> {
  let at = lastEventId;
  let retryMs = 2_000;
  let connected = false;
  for (;;) {
    try {
      for await (const event of connect(client, companyId, at, signal)) {
        connected = true;
        at = event.id;
        retryMs = event.retryMs ?? retryMs;
        if (event.data) yield { id: at, activity: JSON.parse(event.data) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTemporary(error, connected)) throw error;
    }
    await delay(retryMs, signal);
  }
}

async function* connect(
  client: OrchestrationClient,
  companyId: string,
  lastEventId: string,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const header = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
  const body = await unwrap(
    client.GET('/api/companies/{companyId}/events', {
      params: { path: { companyId }, header },
      parseAs: 'stream',
      ...(signal && { signal }),
    }),
  );
  if (body) yield* serverSentEvents(body as ReadableStream<Uint8Array>);
}
