import { ask, inTransaction, type OpenDatabase, openDatabase, statement } from '@switchyard/db';
import { type ClonedDatabase, cloneDatabase, until } from '../src';

const every = statement('test-every-type', {
  takes: { id: 'uuid', name: 'text?', n: 'int', ids: 'uuid[]', more: 'json', content: 'bytes' },
  gives: {
    id: 'uuid',
    name: 'text?',
    n: 'int',
    big: 'bigint',
    part: 'float',
    yes: 'bool',
    content: 'bytes',
    more: 'json',
    at: 'time',
    day: 'date',
    ids: 'uuid[]',
    words: 'text[]',
    numbers: 'int[]',
  },
  sql: (p) => `SELECT ${p.id} AS id, ${p.name} AS name, ${p.n} AS n, 9007199254740991::int8 AS big,
    0.5::float8 AS part, true AS yes, ${p.content} AS content, ${p.more} AS more,
    '2026-02-03 04:05:06.789+00'::timestamptz AS at, '2026-02-03'::date AS day, ${p.ids} AS ids,
    '{"a b",c}'::text[] AS words, '{1,2}'::int4[] AS numbers FROM generate_series(1, 2)`,
});
const echo = statement('test-echo', {
  takes: { id: 'text' },
  gives: { id: 'uuid' },
  sql: ({ id }) => `SELECT ${id}::uuid AS id`,
});
const when = statement('test-when', {
  takes: { time: 'text' },
  gives: { at: 'time' },
  sql: ({ time }) => `SELECT ${time}::timestamptz AS at`,
});
const held = statement('test-held', {
  takes: {},
  gives: { value: 'int' },
  sql: () => 'SELECT value FROM held',
});
const sleep = statement('test-sleep', {
  takes: {},
  gives: {},
  sql: () => 'SELECT pg_sleep(60)',
});

const ID = '00000000-0000-7000-8000-000000000001';

describe('a declared statement', () => {
  let database: ClonedDatabase;
  let db: OpenDatabase;
  let connections = 0;

  beforeAll(async () => {
    database = await cloneDatabase('orchestration');
    await withDatabase(2, async (admin) => {
      await admin.pool.query('CREATE TABLE held (value int4 NOT NULL)');
      await admin.pool.query('INSERT INTO held VALUES (1)');
    });
  });
  afterAll(() => database.drop());

  function open(size: number): OpenDatabase {
    const opened = openDatabase({
      url: database.ownerUrl,
      size,
      applicationName: 'test',
      onIdleError: () => undefined,
    });
    opened.pool.on('connect', () => {
      connections += 1;
    });
    return opened;
  }

  async function withDatabase(size: number, work: (opened: OpenDatabase) => Promise<void>) {
    const opened = open(size);
    await work(opened).finally(() => opened.close());
  }

  beforeEach(() => {
    connections = 0;
    db = open(1);
  });
  afterEach(() => db.close());

  it('reads every type, and NULL, in every row and on repeated execution', async () => {
    const values = {
      id: ID,
      name: null,
      n: 7,
      ids: [ID, ID],
      more: { a: [1] },
      content: new Uint8Array([0, 255]),
    };
    const row = {
      id: ID,
      name: null,
      n: 7,
      big: 9007199254740991,
      part: 0.5,
      yes: true,
      content: Buffer.from([0, 255]),
      more: { a: [1] },
      at: '2026-02-03T04:05:06.789Z',
      day: '2026-02-03',
      ids: [ID, ID],
      words: ['a b', 'c'],
      numbers: [1, 2],
    };
    expect(await ask(db, every, values)).toEqual([row, row]);
    const named = { ...row, name: "O'Neil" };
    expect(await ask(db, every, { ...values, name: "O'Neil" })).toEqual([named, named]);
    expect(await ask(db, every, values)).toEqual([row, row]);
  });

  it('succeeds after its first execution has failed', async () => {
    await inTransaction(db, async (tx) => {
      for (let at = 0; at < 2; at++) {
        await tx.query({ text: 'SAVEPOINT here' });
        await expect(ask(tx, echo, { id: 'no id' })).rejects.toMatchObject({ code: '22P02' });
        await tx.query({ text: 'ROLLBACK TO here' });
        expect(await ask(tx, echo, { id: ID })).toEqual([{ id: ID }]);
      }
    });
    expect(connections).toBe(1);
  });

  it('fails for a result that cannot be parsed, and keeps the connection', async () => {
    await inTransaction(db, async (tx) => {
      await expect(ask(tx, when, { time: 'infinity' })).rejects.toThrow(RangeError);
      expect(await ask(tx, when, { time: '2026-02-03 04:05:06+00' })).toEqual([
        { at: '2026-02-03T04:05:06.000Z' },
      ]);
    });
    expect(connections).toBe(1);
  });

  it('fails for a value that cannot be sent, and keeps the connection', async () => {
    const unsendable = {
      toPostgres: () => {
        throw new Error('not to be sent');
      },
    };
    await expect(ask(db, echo, { id: unsendable as never })).rejects.toThrow('not to be sent');
    expect(await ask(db, echo, { id: ID })).toEqual([{ id: ID }]);
  });

  it('can be sent again before its first result arrives', async () => {
    const other = ID.replace(/.$/, '2');
    const found = await inTransaction(db, (tx) =>
      Promise.all([ID, other, ID].map((id) => ask(tx, echo, { id }))),
    );
    expect(found).toEqual([[{ id: ID }], [{ id: other }], [{ id: ID }]]);
  });

  it('fails after a migration has changed a column, but works on a new connection', async () => {
    expect(await ask(db, held, {})).toEqual([{ value: 1 }]);
    await withDatabase(1, async (admin) => {
      await admin.pool.query('ALTER TABLE held ALTER value TYPE text');
    });
    await expect(ask(db, held, {})).rejects.toMatchObject({ code: '0A000' });
    await withDatabase(1, async (other) => {
      expect(await ask(other, held, {})).toEqual([{ value: '1' }]);
    });
  });

  it('fails when its connection is lost', async () => {
    const [row] = (await db.pool.query('SELECT pg_backend_pid() AS pid')).rows;
    // Adds the expectation first, because the failure may arrive before the statement that ends the
    // connection returns.
    const failed = expect(ask(db, sleep, {})).rejects.toThrow('terminating connection');
    await withDatabase(1, async (admin) => {
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = $1 AND query LIKE '%pg_sleep%'`;
      await until(
        'the statement under way',
        async () => (await admin.pool.query(end, [row.pid])).rows.length > 0,
      );
    });
    await failed;
    expect(await ask(db, echo, { id: ID })).toEqual([{ id: ID }]);
  });
});
