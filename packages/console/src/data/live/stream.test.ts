import { tsImport } from 'tsx/esm/api';
import type { Change, StreamState } from './stream';

class Channel {
  static open = new Set<Channel>();
  static isHeld = (_data: { kind: string }): boolean => false;
  static held: (() => void)[] = [];
  static deliver(): void {
    for (const each of Channel.held.splice(0)) each();
  }

  onmessage?: (event: { data: unknown }) => void;
  constructor(readonly name: string) {
    Channel.open.add(this);
  }
  postMessage(data: { kind: string }): void {
    const others = [...Channel.open].filter((one) => one !== this && one.name === this.name);
    const send = () => others.forEach((one) => void one.onmessage?.({ data }));
    if (Channel.isHeld(data)) Channel.held.push(send);
    else send();
  }
  close(): void {
    Channel.open.delete(this);
  }
}

function newLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) => {
      last = last.then(() => (signal.aborted ? undefined : hold()));
      return last;
    },
  };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

interface Connection {
  after: string | undefined;
  send(text: string): void;
}

describe('tabs of a browser', () => {
  const connections: Connection[] = [];
  const before = { ...globalThis };
  const leaving: (() => void)[] = [];

  beforeEach(() => {
    connections.length = 0;
    Channel.held.length = 0;
    Channel.isHeld = () => false;
    const locks = newLocks();
    Object.assign(globalThis, { BroadcastChannel: Channel, fetch: connect });
    Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  });
  afterEach(() => {
    for (const leave of leaving.splice(0)) leave();
    Object.assign(globalThis, { BroadcastChannel: before.BroadcastChannel, fetch: before.fetch });
    Object.defineProperty(globalThis, 'navigator', { value: before.navigator, configurable: true });
  });

  const connect = async (_url: string, { headers, signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason));
        connections.push({
          after: new Headers(headers).get('last-event-id') ?? undefined,
          send: (text) => controller.enqueue(new TextEncoder().encode(text)),
        });
      },
    });
    return new Response(body);
  };
  const connection = async (count: number) => {
    await until(() => connections.length === count);
    return connections[count - 1] as Connection;
  };

  const openTab = async (readAt: string) => {
    const modules: typeof import('./tab-modules') = await tsImport(
      './tab-modules.ts',
      import.meta.url,
    );
    const { followCompany, noteCompaniesRead } = modules;
    const answer = new Response(null, { headers: { 'x-event-position': readAt } });
    noteCompaniesRead(new Request('http://localhost/api/companies'), answer);
    const heard = { changes: [] as Change[], resets: 0, state: 'connecting' as StreamState };
    const follow = () => {
      const leave = followCompany('company', {
        onChange: (change) => heard.changes.push(change),
        onReset: () => {
          heard.resets += 1;
        },
        onState: (state) => {
          heard.state = state;
        },
      });
      leaving.push(leave);
      return leave;
    };
    return { heard, follow, leave: follow() };
  };
  const change = (id?: string) =>
    `${id ? `id: ${id}\n` : ''}event: change\ndata: {"activity":null,"rows":[]}\n\n`;

  const openTwo = async () => {
    const holder = await openTab('10-0');
    const stream = await connection(1);
    stream.send('retry: 2000\nid: 10-0\n\n');
    const other = await openTab('10-0');
    await until(() => other.heard.state === 'live');
    return { holder, other, stream };
  };

  it('receive the same changes, and a tab that opens later misses no change', async () => {
    const { holder, other, stream } = await openTwo();
    stream.send(change('11-1') + change() + change('12-3'));
    await until(() => other.heard.changes.length === 3);
    expect(holder.heard.changes).toHaveLength(3);
    const late = await openTab('12-3');
    await until(() => late.heard.state === 'live');
    stream.send(change());
    await until(() => late.heard.changes.length === 1);
    expect([holder, other, late].map(({ heard }) => heard.resets)).toEqual([0, 0, 0]);
  });

  it('refresh a tab that opens with outdated responses', async () => {
    const { stream, holder } = await openTwo();
    stream.send(change('11-1'));
    await until(() => holder.heard.changes.length === 1);
    const late = await openTab('10-0');
    await until(() => late.heard.state === 'live');
    expect(late.heard.resets).toBe(1);
  });

  it.each([
    { meanwhile: 'no change', sent: [change('10-5'), change()], frames: [], resets: 0 },
    { meanwhile: 'an unrecorded change', sent: [change('10-5')], frames: [change()], resets: 1 },
    { meanwhile: 'the very first change', sent: [], frames: [change()], resets: 1 },
    { meanwhile: 'a recorded change', sent: [change()], frames: [change('11-1')], resets: 1 },
  ])(
    'refresh a returning tab $resets times if the other tabs have received $meanwhile',
    async (one) => {
      const { holder, other, stream } = await openTwo();
      for (const frame of one.sent) stream.send(frame);
      await until(() => other.heard.changes.length === one.sent.length);
      other.leave();
      for (const frame of one.frames) stream.send(frame);
      await until(() => holder.heard.changes.length === one.sent.length + one.frames.length);
      other.follow();
      stream.send(change());
      await until(() => other.heard.changes.length === one.sent.length + 1);
      expect([holder.heard.resets, other.heard.resets]).toEqual([0, one.resets]);
    },
  );

  it('refresh a tab that was hidden before its first message', async () => {
    const { holder, stream } = await openTwo();
    Channel.isHeld = ({ kind }) => kind === 'ask';
    const late = await openTab('10-0');
    late.leave();
    stream.send(change());
    await until(() => holder.heard.changes.length === 1);
    Channel.isHeld = () => false;
    late.follow();
    expect(late.heard).toMatchObject({ resets: 1, state: 'live' });
  });

  it.each([
    ['an unrecorded change', change()],
    ['a recorded change', change('11-1')],
  ])(
    'detect that one tab has missed %s, even if the tab receives the next change first',
    async (_what, missed) => {
      const { holder, other, stream } = await openTwo();
      stream.send(change('10-5'));
      await until(() => other.heard.changes.length === 1);
      other.leave();
      stream.send(missed);
      await until(() => holder.heard.changes.length === 2);
      Channel.isHeld = ({ kind }) => kind === 'ask';
      other.follow();
      stream.send(change('12-1'));
      await until(() => other.heard.changes.length === 2);
      Channel.deliver();
      expect(other.heard.resets).toBe(1);
    },
  );

  it('keep the stream open, and do not refresh, when the tab that owns the stream closes', async () => {
    const { holder, other, stream } = await openTwo();
    const third = await openTab('10-0');
    stream.send(change('11-1') + change());
    await until(() => third.heard.changes.length === 2);
    holder.leave();
    const next = await connection(2);
    expect(next.after).toBe('11-1');
    next.send(`retry: 2000\nid: 11-1\n\n${change('12-1')}`);
    await until(() => third.heard.changes.length === 3);
    expect([other, third].map(({ heard }) => heard.resets)).toEqual([0, 0]);
  });

  it('each refresh once after a reset event', async () => {
    const { holder, other, stream } = await openTwo();
    stream.send('id: 20-0\nevent: reset\ndata: {}\n\n');
    await until(() => other.heard.resets > 0);
    stream.send(change('21-1'));
    await until(() => other.heard.changes.length === 1);
    expect([holder, other].map(({ heard }) => heard.resets)).toEqual([1, 1]);
  });
});
