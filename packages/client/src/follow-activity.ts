import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events';
import { unwrap } from './unwrap';

export interface FollowSettings {
  /** The `id` of the last processed event; if absent, the stream starts now. */
  lastEventId?: string;
  signal?: AbortSignal;
}

export interface ActivityEvent {
  id: string;
  activity: Schemas['Activity'];
}

/**
 * Yields each activity of a company once, as it happens. Reconnects after a lost connection and resumes where it was. Leaving the loop closes
 * the connection. @throws RefusedError when the caller may not follow the company, and the reason of the signal
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
