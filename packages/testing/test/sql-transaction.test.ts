import { inSqlTransaction, type MetricsDatabase, openMetricsDatabase } from '@switchyard/db';
import { type ClonedDatabase, cloneDatabase } from '../src';

describe('a transaction of plain SQL', () => {
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

  it('keeps all, and returns what its work does', async () => {
    const result = await inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      await tx.query(note('two'));
      return 2;
    });
    expect([result, await noted()]).toEqual([2, ['one', 'two']]);
  });

  it('keeps nothing when its work throws, and the connection is used again', async () => {
    const failed = inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      throw new Error('a reason');
    });
    await expect(failed).rejects.toThrow('a reason');
    expect(await noted()).toEqual([]);
  });

  it('does not pass for done when a failed statement was ignored', async () => {
    const ignoring = inSqlTransaction(db.pool, async (tx) => {
      await tx.query(note('one'));
      await tx.query(note('one')).catch(() => undefined);
    });
    await expect(ignoring).rejects.toThrow('a statement failed');
    expect(await noted()).toEqual([]);
  });

  it('ends when it takes too long, and gives the only connection back', async () => {
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
});
