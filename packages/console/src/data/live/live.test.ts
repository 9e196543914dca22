import { type Clock, install } from '@sinonjs/fake-timers';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { readAgain, readTouched, refresher, typesToRead } from './live';
import { cachedRow, patchEntity, writeRow } from './patch';
import { COLUMN_PAGE, isTouched } from './touches';

const run = { id: 'run-1', status: 'running', logBytes: 10, agentName: 'Ada' };
const RUNS = ['/api/companies/{companyId}/heartbeat-runs', {}, 'pages'];
const AGENTS = ['/api/companies/{companyId}/agents', {}];

function clientWith(): QueryClient {
  const client = new QueryClient();
  client.setQueryData(RUNS, { pages: [{ items: [run] }], pageParams: [undefined] });
  client.setQueryData(AGENTS, [{ id: 'agent-1', status: 'idle', labels: ['a'] }]);
  return client;
}

const changed = (row: Record<string, unknown> | null, entityType = 'heartbeat_run') => ({
  activity: null,
  rows: [{ entityType, entityId: 'run-1', row }],
});

describe('typesToRead', () => {
  it.each([
    ['returns no type if only the output of a run has grown', { ...run, logBytes: 20 }, []],
    [
      'returns the type if a row has changed its state',
      { ...run, status: 'failed' },
      ['heartbeat_run'],
    ],
    ['returns the type if a row was deleted', null, ['heartbeat_run']],
  ])('%s', (_case, row, types) => {
    expect([...typesToRead(clientWith(), changed(row))]).toEqual(types);
  });

  it('returns the type of a row that no list contains', () => {
    const change = {
      activity: null,
      rows: [{ entityType: 'heartbeat_run', entityId: 'new', row: run }],
    };
    expect([...typesToRead(clientWith(), change)]).toEqual(['heartbeat_run']);
  });
});

describe('patchEntity', () => {
  it('patches the run in an entry of a thread', () => {
    const client = new QueryClient();
    const entry = { kind: 'run', id: 'run-1', at: '2026-01-01', run };
    client.setQueryData(['thread'], { pages: [{ items: [entry] }], pageParams: [undefined] });
    expect([...typesToRead(client, changed({ ...run, logBytes: 20 }))]).toEqual([]);
    patchEntity(client, 'run-1', { logBytes: 20 });
    expect(cachedRow(client, 'run-1')).toEqual({ ...run, logBytes: 20 });
  });

  it('patches a row inside pages, and can be undone', () => {
    const client = clientWith();
    const undo = patchEntity(client, 'run-1', { status: 'failed', unknownToTheList: 1 });
    expect(cachedRow(client, 'run-1')).toEqual({ ...run, status: 'failed' });
    undo();
    expect(cachedRow(client, 'run-1')).toEqual(run);
  });

  it('undo keeps a newer change, and marks the response as stale', () => {
    const client = clientWith();
    const undo = patchEntity(client, 'run-1', { status: 'failed' });
    patchEntity(client, 'run-1', { status: 'succeeded' });
    undo();
    expect(cachedRow(client, 'run-1')).toEqual({ ...run, status: 'succeeded' });
    expect([RUNS, AGENTS].map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
      true,
      false,
    ]);
  });

  it('keeps the stale mark of a response', () => {
    const client = clientWith();
    void client.invalidateQueries({ queryKey: RUNS });
    patchEntity(client, 'run-1', { status: 'failed' });
    expect(cachedRow(client, 'run-1')).toEqual({ ...run, status: 'failed' });
    expect(client.getQueryState(RUNS)?.isInvalidated).toBe(true);
  });

  it('leaves a response marked as stale if the screen closes while it is fetched', async () => {
    const client = clientWith();
    const { leave } = reading(client, RUNS);
    void client.invalidateQueries({ queryKey: RUNS });
    patchEntity(client, 'run-1', { status: 'failed' });
    await leave();
    expect(cachedRow(client, 'run-1')).toEqual({ ...run, status: 'failed' });
    expect(client.getQueryState(RUNS)).toMatchObject({ isInvalidated: true, fetchStatus: 'idle' });
  });

  it('returns the same objects if no value differs, even in lists', () => {
    const client = clientWith();
    const before = client.getQueryData(AGENTS);
    patchEntity(client, 'agent-1', { status: 'idle', labels: ['a'] });
    expect(client.getQueryData(AGENTS)).toBe(before);
  });
});

function reading(client: QueryClient, queryKey: readonly unknown[]) {
  const comes: ((answer: unknown) => void)[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<unknown>((resolve, reject) => {
      comes.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity });
  const unsubscribe = observer.subscribe(() => undefined);
  return {
    observer,
    come: (answer: unknown) => comes.shift()?.(answer),
    leave: async () => {
      const ended = client.getQueryCache().find({ queryKey })?.promise;
      unsubscribe();
      await ended?.catch(() => undefined);
    },
  };
}

describe('writeRow', () => {
  const PAGE = [COLUMN_PAGE, {}];
  const page = (status: string, title: string) => ({
    status: 'todo',
    issues: [{ id: 'issue-1', status, title }],
  });
  const older = page('todo', 'Old');
  const newest = { id: 'issue-1', status: 'done', title: 'Newest' };

  it.each([
    { answer: 'older, in a first read', before: undefined, comes: older, moves: 1 },
    { answer: 'older, in a later read', before: older, comes: older, moves: 1 },
    { answer: 'with the same status', before: older, comes: page('done', 'Old'), moves: 0 },
  ])('patches a response that was in flight: $answer', async ({ before, comes, moves }) => {
    const client = new QueryClient();
    if (before) client.setQueryData(PAGE, before);
    const { observer, come, leave } = reading(client, PAGE);
    const read = observer.refetch();
    const onMoved = jest.fn();
    writeRow(client, 'issue-1', newest, onMoved);
    come(comes);
    await read;
    expect(client.getQueryData(PAGE)).toEqual(page('done', 'Newest'));
    expect(onMoved).toHaveBeenCalledTimes(moves);
    await leave();
  });

  it('does not apply an older change to a response that was read after a later change', async () => {
    const client = new QueryClient();
    const { observer, come, leave } = reading(client, PAGE);
    const read = observer.refetch();
    writeRow(client, 'issue-1', { ...newest, updatedAt: '2026-01-01T00:00:00.000Z' }, jest.fn());
    const issue = { id: 'issue-1', status: 'done', updatedAt: '2026-01-01T00:00:00.001Z' };
    come({ status: 'todo', issues: [issue] });
    await read;
    expect(client.getQueryData(PAGE)).toEqual({ status: 'todo', issues: [issue] });
    await leave();
  });

  it('writes only the second of two updates into a response that was in flight', async () => {
    const client = new QueryClient();
    const { observer, come, leave } = reading(client, PAGE);
    const read = observer.refetch();
    writeRow(client, 'issue-1', { ...newest, title: 'New' }, jest.fn());
    writeRow(client, 'issue-1', newest, jest.fn());
    come(older);
    await read;
    expect(client.getQueryData(PAGE)).toEqual(page('done', 'Newest'));
    await leave();
  });
});

it('readTouched marks as stale a response that is in flight, even if its screen closes', async () => {
  const client = clientWith();
  const { observer, leave } = reading(client, RUNS);
  void observer.refetch();
  const marked = readTouched(client, new Set(['heartbeat_run']), true);
  await leave();
  await marked;
  expect([RUNS, AGENTS].map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
    true,
    true,
  ]);
});

it('readTouched marks as stale a response that is in flight for an open screen', async () => {
  const client = clientWith();
  const { observer, come, leave } = reading(client, RUNS);
  const read = observer.refetch();
  const marked = readTouched(client, new Set(['heartbeat_run']), true);
  come({ pages: [{ items: [run] }], pageParams: [undefined] });
  await Promise.all([read, marked]);
  expect(client.getQueryState(RUNS)).toMatchObject({ isInvalidated: true, fetchStatus: 'idle' });
  await leave();
});

it('readAgain repeats a first read that was in flight', async () => {
  const client = new QueryClient();
  const answers = ['before the change', 'after it'];
  let come: () => void = () => undefined;
  const queryFn = jest.fn(async () => {
    const answer = answers.shift();
    if (answers.length === 1)
      await new Promise<void>((resolve) => {
        come = resolve;
      });
    return answer;
  });
  const observer = new QueryObserver(client, {
    queryKey: ['issues'],
    queryFn,
    staleTime: Infinity,
  });
  const leave = observer.subscribe(() => undefined);
  const read = readAgain(client, { queryKey: ['issues'] });
  come();
  await read;
  expect(client.getQueryData(['issues'])).toBe('after it');
  expect(queryFn).toHaveBeenCalledTimes(2);
  leave();
  client.clear();
});

describe('refresher', () => {
  const { document } = globalThis;
  let clock: Clock;
  beforeEach(() => {
    clock = install();
    globalThis.document = { hidden: false, addEventListener: jest.fn() } as never;
  });
  afterEach(() => {
    clock.uninstall();
    globalThis.document = document;
  });

  it('waits after a refresh in proportion to the duration of that refresh', async () => {
    const ends: (() => void)[] = [];
    const asked: string[][] = [];
    const refresh = refresher((types) => {
      asked.push([...types]);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    refresh.touch('issue');
    await clock.tickAsync(100);
    refresh.touch('agent');
    await clock.tickAsync(3_000);
    expect(asked).toEqual([['issue']]);
    ends[0]?.();
    await clock.tickAsync(8_000);
    expect(asked).toEqual([['issue']]);
    await clock.tickAsync(2_000);
    expect(asked).toEqual([['issue'], ['agent']]);
  });

  it('if the refresher stops before the refresh, marks the data as stale instead', async () => {
    const invalidate = jest.fn(() => Promise.resolve());
    globalThis.document.removeEventListener = jest.fn();
    const refresh = refresher(invalidate);
    refresh.touch('issue');
    refresh.stop();
    await clock.tickAsync(5_000);
    expect(invalidate.mock.calls).toEqual([[new Set(['issue']), true]]);
  });

  it('refreshes at most once per second, but does not wait forever for a missing response', async () => {
    const invalidate = jest.fn(() => Promise.resolve());
    const refresh = refresher(invalidate);
    for (let at = 0; at < 40; at++) {
      refresh.touch('issue');
      await clock.tickAsync(100);
    }
    expect(invalidate).toHaveBeenCalledTimes(4);
    invalidate.mockReturnValue(new Promise(() => undefined));
    await clock.tickAsync(2_000);
    refresh.touch('issue');
    await clock.tickAsync(100);
    const calls = invalidate.mock.calls.length;
    refresh.touch('agent');
    await clock.tickAsync(30_000);
    expect(invalidate.mock.calls.length).toBeGreaterThan(calls);
  });
});

it('isTouched returns true for a later page of a board only if labels changed', () => {
  expect(isTouched(COLUMN_PAGE, new Set(['label']))).toBe(true);
  expect(isTouched(COLUMN_PAGE, new Set(['issue', 'heartbeat_run']))).toBe(false);
});

it.each([
  ['/api/companies/{companyId}/goals', 'issue'],
  ['/api/companies/{companyId}/goals', 'project'],
  ['/api/companies/{companyId}/projects', 'issue'],
  ['/api/projects/{projectId}', 'workspace'],
  ['/api/projects/{projectId}/workspaces', 'workspace'],
])('isTouched returns true for %s after a change of type %s', (path, type) => {
  expect(isTouched(path, new Set([type]))).toBe(true);
});
