import { type Schemas, serverSentEvents } from '@switchyard/client';

export type StreamEvent = Schemas['Activity'];

export type StreamState = 'connecting' | 'live' | 'offline';

interface Follower {
  onEvent: (event: StreamEvent) => void;
  /** After a gap that the service cannot fill: what was read may be old. */
  onGap: () => void;
  onState: (state: StreamState) => void;
}

type Message =
  | { kind: 'event'; event: StreamEvent; position: string }
  | { kind: 'state'; state: StreamState; position: string }
  | { kind: 'ask' };

/**
 * Follows what happens in a company. Of all tabs of a browser one holds the connection (a Web Lock elects it, and
 * the next one takes over when it closes); it tells the others by a BroadcastChannel. Resumes at the last event
 * after every break.
 */
export function followCompany(companyId: string, follower: Follower): () => void {
  const stopped = new AbortController();
  const name = `switchyard-events-${companyId}`;
  const channel = new BroadcastChannel(name);
  let position = '';
  let state: StreamState = 'connecting';
  let isHolder = false;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      if (isHolder) channel.postMessage({ kind: 'state', state, position } satisfies Message);
      return;
    }
    position = data.position;
    if (data.kind === 'state') follower.onState(data.state);
    else follower.onEvent(data.event);
  };
  channel.postMessage({ kind: 'ask' } satisfies Message);
  const say = (next: StreamState) => {
    state = next;
    follower.onState(next);
    channel.postMessage({ kind: 'state', state, position } satisfies Message);
  };
  const hold = async () => {
    isHolder = true;
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      try {
        for await (const { id, data } of await connect(companyId, position, stopped.signal)) {
          failures = 0;
          position = id || position;
          if (state !== 'live') say('live');
          if (data === '') continue;
          const event = JSON.parse(data) as StreamEvent;
          channel.postMessage({ kind: 'event', event, position } satisfies Message);
          follower.onEvent(event);
        }
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof GoneError) {
          position = '';
          follower.onGap();
        }
      }
      if (failures > 0) say('offline');
      await pause(Math.min(250 * 2 ** failures, 5_000), stopped.signal);
    }
  };
  navigator.locks.request(name, { signal: stopped.signal }, hold).catch(() => undefined);
  return () => {
    stopped.abort();
    channel.close();
  };
}

/** The service no longer has what follows the position. */
class GoneError extends Error {}

async function connect(companyId: string, position: string, signal: AbortSignal) {
  const response = await fetch(`/api/companies/${companyId}/events`, {
    headers: { accept: 'text/event-stream', ...(position && { 'last-event-id': position }) },
    signal,
  });
  if (response.status >= 400 && response.status < 500 && position) throw new GoneError();
  if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
  return serverSentEvents(response.body);
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
