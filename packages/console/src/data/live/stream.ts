import { type Schemas, type ServerSentEvent, serverSentEvents } from '@switchyard/client';
import { isLater, noteFollowed, startOf } from './positions';

/** What happened, if it is recorded, and the rows that it changed as they are now (docs/contract.md, "Changes"). */
export interface Change {
  activity: Schemas['ListedActivity'] | null;
  rows: { entityType: string; entityId: string; row: Record<string, unknown> | null }[];
}

export type StreamState = 'connecting' | 'live' | 'offline';

interface Follower {
  onChange: (change: Change) => void;
  /** Changes are missing: what was read may be old. */
  onReset: () => void;
  onState: (state: StreamState) => void;
}

type Message =
  | { kind: 'change'; change: Change; position: string }
  | { kind: 'reset'; position: string }
  /** `position`: of the last change that was told. */
  | { kind: 'state'; state: StreamState; position: string }
  | { kind: 'ask' };

/**
 * Follows what changes in a company. Of all tabs of a browser one holds the connection (a Web Lock elects it, and
 * the next one takes over when it closes); it tells the others by a BroadcastChannel. Begins where this page has read
 * (`positions.ts`) and resumes at the last change after every break.
 */
export function followCompany(companyId: string, follower: Follower): () => void {
  const stopped = new AbortController();
  const name = `switchyard-changes-${companyId}`;
  const channel = new BroadcastChannel(name);
  let position = startOf(companyId);
  /** Where the last change stands that the tabs were told of. */
  let told = position;
  let state: StreamState = 'connecting';
  let isHolder = false;
  // Browsers keep locks from pages of plain http on other hosts than this machine: there each tab has its own stream.
  const isAlone = !('locks' in navigator);
  const tell = (message: Message) => {
    if (!isAlone) channel.postMessage(message);
    hear(message);
  };
  const hear = (message: Message) => {
    // Another tab was told of changes that this page neither read nor heard of.
    if (message.kind === 'state' && isLater(message.position, told)) follower.onReset();
    if ('position' in message && message.position) {
      told = message.position;
      if (!isHolder) position = told;
    }
    if (message.kind === 'change') follower.onChange(message.change);
    else if (message.kind === 'reset') follower.onReset();
    else if (message.kind === 'state') follower.onState(message.state);
  };
  const say = (next: StreamState) => {
    if (next === state) return;
    state = next;
    tell({ kind: 'state', state, position: told });
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isAlone) return;
    if (data.kind !== 'ask') hear(data);
    else if (isHolder)
      channel.postMessage({ kind: 'state', state, position: told } satisfies Message);
  };
  channel.postMessage({ kind: 'ask' } satisfies Message);
  const hold = async () => {
    isHolder = true;
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      try {
        for await (const event of await connect(companyId, position, stopped.signal)) {
          failures = 0;
          position = event.id || position;
          say('live');
          if (event.name === 'reset') tell({ kind: 'reset', position });
          if (event.name === 'change') tell({ kind: 'change', change: changeOf(event), position });
        }
      } catch {
        if (stopped.signal.aborted) return;
      }
      if (failures > 0) say('offline');
      await pause(Math.min(250 * 2 ** failures, 5_000), stopped.signal);
    }
  };
  if (isAlone) void hold();
  else navigator.locks.request(name, { signal: stopped.signal }, hold).catch(() => undefined);
  return () => {
    stopped.abort();
    channel.close();
    noteFollowed(companyId, position);
  };
}

const changeOf = ({ data }: ServerSentEvent) => JSON.parse(data) as Change;

async function connect(companyId: string, position: string, signal: AbortSignal) {
  const response = await fetch(`/api/companies/${companyId}/changes`, {
    headers: { accept: 'text/event-stream', ...(position && { 'last-event-id': position }) },
    signal,
  });
  if (!response.ok || !response.body) throw new Error(`changes: ${response.status}`);
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
