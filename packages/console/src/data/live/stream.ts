import { type Schemas, type ServerSentEvent, serverSentEvents } from '@switchyard/client';
import { isLater, noteFollowed, type Place, startOf } from './positions';

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

type News =
  | { kind: 'change'; change: Change }
  | { kind: 'reset' }
  | { kind: 'state'; state: StreamState };

/** `before`, `after`: what the tabs know without it, and with it. One that knows something else before has missed something. */
type Message = (News & { before: Place; after: Place }) | { kind: 'ask' };

/**
 * Follows what changes in a company. Of all tabs of a browser one holds the connection (a Web Lock elects it, and
 * the next one takes over when it closes); it tells the others by a BroadcastChannel. Begins where this page has read
 * (`positions.ts`) and resumes at the last change after every break.
 */
export function followCompany(companyId: string, follower: Follower): () => void {
  const stopped = new AbortController();
  // The number is that of the messages' form: a tab that was opened before an update may still tell another one.
  const name = `switchyard-changes-2-${companyId}`;
  const channel = new BroadcastChannel(name);
  /** Up to where this tab was told. */
  let known = startOf(companyId);
  /** Where the stream goes on: it names a position also where nothing happens. */
  let position = known.position;
  let state: StreamState = 'connecting';
  let isHolder = false;
  // Browsers keep locks from pages of plain http on other hosts than this machine: there each tab has its own stream.
  const isAlone = !('locks' in navigator);
  const show = (news: News) => {
    if (news.kind === 'change') follower.onChange(news.change);
    else if (news.kind === 'reset') follower.onReset();
    else follower.onState(news.state);
  };
  const tell = (news: News) => {
    const before = known;
    if (news.kind !== 'state') known = { position, mark: newMark() };
    const message: Message = { ...news, before, after: known };
    if (!isAlone) channel.postMessage(message);
    show(news);
  };
  const hear = ({ before, after, ...news }: Exclude<Message, { kind: 'ask' }>) => {
    // One that heard nothing yet has read up to its position. A holder that takes over tells what it knows itself.
    const isMissing = known.mark
      ? before.mark !== known.mark
      : isLater(before.position, known.position);
    const isReset = news.kind === 'reset';
    const isBehind = isLater(known.position, after.position) && !isReset;
    position = isBehind ? known.position : after.position || position;
    known = { position, mark: after.mark };
    if (isMissing && !isReset) follower.onReset();
    show(news);
  };
  const say = (next: StreamState) => {
    if (next === state) return;
    state = next;
    tell({ kind: 'state', state });
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isAlone) return;
    if (data.kind === 'ask') {
      const message: Message = { kind: 'state', state, before: known, after: known };
      if (isHolder) channel.postMessage(message);
    }
    // What the one before it still told, the stream tells a holder once more.
    else if (!isHolder) hear(data);
  };
  channel.postMessage({ kind: 'ask' } satisfies Message);
  const hold = async () => {
    isHolder = true;
    known = { ...known, mark: known.mark || newMark() };
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      try {
        for await (const event of await connect(companyId, position, stopped.signal)) {
          failures = 0;
          position = event.id || position;
          say('live');
          if (event.name === 'reset') tell({ kind: 'reset' });
          if (event.name === 'change') tell({ kind: 'change', change: changeOf(event) });
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
    // One that heard nothing yet may have missed whatever is told until it is back.
    noteFollowed(companyId, { position, mark: known.mark || newMark() });
  };
}

const TAB = Math.random();
let told = 0;
/** Another one for each thing that any tab tells. */
const newMark = () => `${TAB} ${++told}`;

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
