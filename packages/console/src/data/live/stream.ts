import { type Schemas, type ServerSentEvent, serverSentEvents } from '@switchyard/client';
import { isLater, noteFollowed, type Place, startOf } from './positions';

export interface Change {
  activity: Schemas['ListedActivity'] | null;
  rows: { entityType: string; entityId: string; row: Record<string, unknown> | null }[];
}

export type StreamState = 'connecting' | 'live' | 'offline';

interface Follower {
  onChange: (change: Change) => void;
  onReset: () => void;
  onState: (state: StreamState) => void;
}

type News =
  | { kind: 'change'; change: Change }
  | { kind: 'reset' }
  | { kind: 'state'; state: StreamState };

/**
 * `before` and `after` are the sender's positions without and with this message. A tab whose
 * position is not `before` has missed a message.
 */
type Message = (News & { before: Place; after: Place }) | { kind: 'ask' };

/**
 * Follows a company's changes. A Web Lock elects one tab to hold the connection; when that tab
 * closes, another takes over. The elected tab broadcasts the changes to the other tabs. The stream
 * starts at this page's position (`positions.ts`), and resumes after the last change when the
 * connection breaks.
 */
export function followCompany(companyId: string, follower: Follower): () => void {
  const stopped = new AbortController();
  // The number is the version of the message format, because tabs of an older console may still be
  // open.
  const name = `switchyard-changes-2-${companyId}`;
  const channel = new BroadcastChannel(name);
  let known = startOf(companyId);
  let position = known.position;
  let state: StreamState = 'connecting';
  let isHolder = false;
  // Browsers only offer locks on https and loopback; otherwise each tab has its own stream.
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
  const receive = ({ before, after, ...news }: Exclude<Message, { kind: 'ask' }>) => {
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
    } else if (!isHolder) receive(data);
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
    noteFollowed(companyId, { position, mark: known.mark || newMark() });
  };
}

const TAB = Math.random();
let marks = 0;
const newMark = () => `${TAB} ${++marks}`;

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
