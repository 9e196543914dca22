import { setTimeout as delay } from 'node:timers/promises';
import { connectAlone, createExclusive, type Exclusive } from '@switchyard/db';
import { cloneDatabase } from '../src';

describe('work that one process does at a time', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  beforeAll(async () => {
    database = await cloneDatabase('orchestration');
  });
  afterAll(() => database.drop());

  const open = () => createExclusive({ url: database.url, applicationName: 'test-lock' });
  const never = () => new AbortController().signal;

  it.each([
    ['in one process', () => [open()].flatMap((one) => [one, one, one])],
    ['in several', () => [open(), open(), open()]],
  ])('is never done twice at once %s, and always done', async (_where, openAll) => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await delay(20);
      inside--;
      return 'done';
    };
    const holders: Exclusive[] = openAll();
    const all = holders.flatMap((one) => [one('k', never(), work), one('k', never(), work)]);
    expect(await Promise.all(all)).toEqual(Array(6).fill('done'));
    expect(most).toBe(1);
  });

  /** Holds a key from the moment this resolves until `release`. */
  const hold = async (one: Exclusive, key: string) => {
    let release = () => {};
    let done: Promise<void> = Promise.resolve();
    await new Promise<void>((entered) => {
      done = one(key, never(), () => {
        entered();
        return new Promise<void>((leave) => {
          release = leave;
        });
      });
    });
    return async () => {
      release();
      await done;
    };
  };

  it('holds one key and no other, and frees it when the work fails', async () => {
    const [one, other] = [open(), open()] as const;
    const release = await hold(one, 'a');
    expect(await other('b', never(), async () => 'b')).toBe('b');
    await release();
    await expect(one('a', never(), () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await other('a', never(), async () => 'a')).toBe('a');
  });

  it.each(['in one process', 'in several'])(
    'ends the waiting of who is aborted %s, and nobody else’s',
    async (where) => {
      const one = open();
      const other = where === 'in several' ? open() : one;
      const release = await hold(one, 'a');
      const aborting = new AbortController();
      const waiting = other('a', aborting.signal, async () => 'never');
      const patient = other('a', never(), async () => 'at last');
      setTimeout(() => aborting.abort(), 50);
      await expect(waiting).rejects.toThrow('abort');
      await release();
      expect(await patient).toBe('at last');
    },
  );

  it('tells the work when the connection that holds the lock is lost', async () => {
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'test-lock' AND datname = current_database()`;
    const client = await connectAlone({
      url: database.url,
      applicationName: 'test',
      timeoutMs: 5_000,
      onLost: () => undefined,
    });
    const ended = open()('a', never(), async (signal) => {
      const told = new Promise<void>((done) => signal.addEventListener('abort', () => done()));
      await client.query(cut);
      await told;
      return signal.aborted;
    });
    expect(await ended).toBe(true);
    await client.end();
  });
});
