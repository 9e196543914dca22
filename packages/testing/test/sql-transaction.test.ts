import { setTimeout as delay } from 'node:timers/promises';
import {
  connectAlone,
  inSqlTransaction,
  type MetricsDatabase,
  openMetricsDatabase,
} from '@switchyard/db';
import { type ClonedDatabase, cloneDatabase } from '../src';

describe('inSqlTransaction', () => {
  let database: ClonedDatabase;
  let db: MetricsDatabase;

  beforeAll(async () => {
    database = await cloneDatabase('metrics');
    db = openMetricsDatabase({
      url: database.ownerUrl,
      size: 1,
      applicationName: 'test',
      onIdleError: () => undefined,
    });
    await db.pool.query('CREATE TABLE noted (word TEXT PRIMARY KEY)');
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(() => db.pool.query('TRUNCATE noted'));

  const note = (word: string) => ({ text: 'INSERT INTO noted VALUES ($1)', values: [word] });
  const noted = async () =>
    (await db.pool.query<{ word: string }>('SELECT word FROM noted ORDER BY 1')).rows.map(
      ({ word }) => word,
    );

  const notedElsewhere = async () => {
    const client = await connectAlone({
      url: database.ownerUrl,
      applicationName: 'test',
      timeoutMs: 5_000,
      onLost: () => undefined,
    });
    const { rows } = await client.query<{ word: string }>('SELECT word FROM noted ORDER BY 1');
    await client.end();
    return rows.map(({ word }) => word);
  };

  it('commits, and returns the result of the work', async () => {
    const result = await inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      await tx.query(note('two'));
      return 2;
    });
    expect([result, await noted()]).toEqual([2, ['one', 'two']]);
  });

  describe('after a deadlock', () => {
    const conflict = (attempts: number) => ({
      text: `SELECT conflict_until(${attempts})`,
    });
    const attempts = async () =>
      (await db.pool.query<{ n: number }>('SELECT last_value::int AS n FROM attempts')).rows[0]?.n;

    beforeAll(() =>
      db.pool.query(`
        CREATE SEQUENCE attempts;
        CREATE FUNCTION conflict_until(attempts int) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('attempts') < attempts THEN RAISE 'conflict' USING ERRCODE = '40P01'; END IF;
        END $$`),
    );
    beforeEach(() => db.pool.query("SELECT setval('attempts', 1, false)"));

    it('repeats a statement outside a transaction', async () => {
      await db.pool.query(conflict(4));
      expect(await attempts()).toBe(4);
    });

    it('repeats a whole transaction', async () => {
      await inSqlTransaction(db.pool, async (tx) => {
        await tx.query(note('one'));
        await tx.query(conflict(4));
      });
      expect([await attempts(), await noted()]).toEqual([4, ['one']]);
    });

    it('throws the error of the fourth attempt', async () => {
      await expect(db.pool.query(conflict(9))).rejects.toMatchObject({ code: '40P01' });
      expect(await attempts()).toBe(4);
    });
  });

  it('rolls back if the work throws, and reuses the connection', async () => {
    const failed = inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      throw new Error('a reason');
    });
    await expect(failed).rejects.toThrow('a reason');
    expect(await noted()).toEqual([]);
  });

  it('fails if the work has ignored a failed statement', async () => {
    const ignoring = inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      await tx.query(note('one')).catch(() => undefined);
    });
    await expect(ignoring).rejects.toThrow('one of its statements has failed');
    expect(await noted()).toEqual([]);
  });

  it('fails if the transaction takes too long, and frees the connection', async () => {
    const late = inSqlTransaction(
      db.pool,
      async (tx) => {
        await tx.query(note('one'));
        await tx.query('SELECT pg_sleep(0.5)');
      },
      100,
    );
    await expect(late).rejects.toMatchObject({ code: '57014' });
    expect(await noted()).toEqual([]);
  });

  it('destroys its connection if the deadline passes before the first response', async () => {
    const late = inSqlTransaction(
      db.pool,
      async (tx) => {
        const first = tx.query(note('one'));
        standStill(200);
        await first;
        throw new Error('a reason');
      },
      100,
    );
    const other = db.pool.query(note('two'));
    await expect(late).rejects.toMatchObject({ code: '57014' });
    await other;
    expect(await notedElsewhere()).toEqual(['two']);
  });

  it('refuses statements that are sent after the transaction has ended', async () => {
    const done: Promise<unknown>[] = [];
    const failed = inSqlTransaction(db.pool, async (tx) => {
      const slow = delay(50).then(() => tx.query(note('late')));
      done.push(slow.catch(() => undefined));
      await Promise.all([slow, tx.query('SELECT 1 / 0')]);
    });
    await expect(failed).rejects.toThrow('division by zero');
    await Promise.all(done);
    expect(await noted()).toEqual([]);
  });
});

/** Blocks the process like a suspended machine, so that timers run before pending data is read. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
