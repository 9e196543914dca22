import { delay } from '../delay';
import { isTemporary } from '../is-temporary';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events';

export interface FollowSettings {
  lastEventId?: string;
  signal?: AbortSignal;
}

/**
 * Yields the events of a stream that have data. Reconnects after a lost connection and resumes
 * after the last event. Ends when the service answers 204.
 * @throws RefusedError when the caller may not read the stream, or the signal's reason
 */
export async function* followStream(
  connect: (lastEventId: string) => Promise<unknown>,
  { lastEventId = '', signal }: FollowSettings,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let at = lastEventId;
  let retryMs = 2_000;
  let connected = false;
  for (;;) {
    try {
      const body = await connect(at);
      if (!body) return;
      for await (const event of serverSentEvents(body as ReadableStream<Uint8Array>)) {
        connected = true;
        at = event.id;
        retryMs = event.retryMs ?? retryMs;
        if (event.data) yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTemporary(error, connected)) throw error;
    }
    await delay(retryMs, signal);
  }
}
