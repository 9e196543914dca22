import {
  afterCommit,
  ask,
  bind,
  inTransaction,
  type OpenDatabase,
  openDatabase,
  statement,
  trip,
} from '@switchyard/db';
import { cloneDatabase } from '../src';

const takeToken = (name: string) =>
  statement(name, {
    takes: { token: 'text' },
    gives: { token: 'text', createdAt: 'time' },
    sql: (p) => `INSERT INTO bootstrap_token (token_hash) VALUES (decode(${p.token}, 'hex'))
      RETURNING encode(token_hash, 'hex') AS token, created_at AS "createdAt"`,
  });
const take = takeToken('test-take');
const takeFirst = takeToken('test-take-first');
const takeSecond = takeToken('test-take-second');
const lock = statement('test-lock', {
  takes: { token: 'text' },
  gives: {},
  sql: (p) => `SELECT FROM bootstrap_token WHERE token_hash = decode(${p.token}, 'hex') FOR UPDATE`,
});
const planned = statement('test-planned', {
  takes: { name: 'text' },
  gives: { mode: 'text', plans: 'text' },
  onePlan: true,
  sql: ({ name }) => `
    SELECT current_setting('plan_cache_mode') AS mode,
      'used for all ' || generic_plans || ', for some ' || custom_plans AS plans
    FROM pg_prepared_statements WHERE name = ${name}`,
});
const taken = '01';
const bytes = (token: string) => new Uint8Array(Buffer.from(token, 'hex'));

describe('inTransaction', () => {
  let db: OpenDatabase;
  const announced: string[][] = [];

  beforeAll(async () => {
    const { url } = await cloneDatabase('orchestration');
    db = openDatabase({
      url,
      size: 4,
      applicationName: 'test',
      onIdleError: () => undefined,
      announce: (topics) => announced.push([...topics]),
    });
  });

  afterAll(() => db.close());

  const count = async () => db.prisma.bootstrapToken.count();

  it('commits prepared statements and Prisma statements together', async () => {
    await inTransaction(db, async (tx) => {
      await ask(tx, take, { token: '01' });
      await tx.prisma.bootstrapToken.create({ data: { tokenHash: bytes('02') } });
      await tx.prisma.$executeRaw`UPDATE bootstrap_token SET created_at = now()`;
      expect(await tx.prisma.bootstrapToken.count()).toBe(2);
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(2);
  });

  it('rolls back both kinds of statements if the work throws, and runs no afterCommit action', async () => {
    const before = await count();
    let ran = false;
    const failing = inTransaction(db, async (tx) => {
      await ask(tx, take, { token: '03' });
      await tx.prisma.bootstrapToken.create({ data: { tokenHash: bytes('04') } });
      afterCommit(tx, () => {
        ran = true;
      });
      tx.announce('x');
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await count()).toBe(before);
    expect({ ran, announced }).toEqual({ ran: false, announced: [] });
  });

  it('throws the error of Prisma or of a statement, and reuses the connection', async () => {
    for (const fail of ['prisma', 'statement']) {
      const failing = inTransaction(db, async (tx) => {
        if (fail === 'prisma') {
          await tx.prisma.bootstrapToken.create({ data: { tokenHash: bytes('01') } });
        } else await ask(tx, take, { token: '01' });
      });
      await expect(failing).rejects.toThrow(/[Uu]nique constraint/);
    }
    expect(db.pool.totalCount).toBe(db.pool.idleCount);
    expect(await count()).toBe(2);
  });

  it('does not commit after a failure that the work has ignored', async () => {
    const before = await count();
    const ignoring = inTransaction(db, async (tx) => {
      await ask(tx, take, { token: '05' });
      await ask(tx, take, { token: '01' }).catch(() => undefined);
    });
    await expect(ignoring).rejects.toThrow(
      'a transaction must not continue after one of its statements has failed',
    );
    expect(await count()).toBe(before);
  });

  it('throws the error of its work even while Prisma is still joining the transaction', async () => {
    let counting: Promise<unknown> = Promise.resolve();
    const failing = inTransaction(db, async (tx) => {
      await ask(tx, lock, { token: taken });
      counting = tx.prisma.company.count().catch(() => undefined);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await counting;
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  it('joins a transaction that is already open', async () => {
    await inTransaction(db, async (tx) => {
      await inTransaction(tx, async (inner) => expect(inner).toBe(tx));
    });
  });

  it('repeats the work after a deadlock, and runs each afterCommit action once', async () => {
    let attempts = 0;
    let ran = 0;
    let bothHold = () => {};
    const held = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    let survive = () => {};
    const survived = new Promise<void>((resolve) => {
      survive = resolve;
    });
    let holding = 0;
    const crossing = (one: string, other: string) =>
      inTransaction(db, async (tx) => {
        attempts++;
        // The third attempt waits until the other transaction has committed. Otherwise this attempt
        // could lock its first row again before the other transaction gets it.
        if (attempts > 2) await survived;
        await ask(tx, lock, { token: one });
        if (++holding === 2) bothHold();
        await held;
        await ask(tx, lock, { token: other });
        afterCommit(tx, () => {
          ran++;
          survive();
        });
      });
    await Promise.all([crossing('01', '02'), crossing('02', '01')]);
    expect({ attempts, ran }).toEqual({ attempts: 3, ran: 2 });
  });

  it('throws when its connection is lost', async () => {
    const lost = inTransaction(db, async (tx) => {
      const [row] = (await tx.query({ text: 'SELECT pg_backend_pid() AS pid' })) as {
        pid: number;
      }[];
      await db.pool.query('SELECT pg_terminate_backend($1)', [row?.pid]);
      await ask(tx, take, { token: '06' });
    });
    await expect(lost).rejects.toThrow();
    expect(await count()).toBe(2);
  });
});

describe('inOneTrip', () => {
  const options = { applicationName: 'test', onIdleError: () => undefined };
  let url: string;
  let db: OpenDatabase;

  beforeAll(async () => {
    ({ url } = await cloneDatabase('orchestration'));
    db = openDatabase({ ...options, url, size: 2 });
  });

  afterAll(() => db.close());

  const count = () => db.prisma.bootstrapToken.count();

  it('returns the rows of the last statement and commits', async () => {
    const rows = await trip(db, [bind(take, { token: taken })], take, { token: '02' });
    expect(rows).toEqual([{ token: '02', createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) }]);
    expect(await count()).toBe(2);
  });

  it.each([0, 1])('rolls back when statement %i fails, and keeps the connection', async (at) => {
    const before = await count();
    const [first, second] = at === 0 ? [taken, '04'] : ['03', taken];
    const failing = trip(db, [bind(takeFirst, { token: first })], takeSecond, { token: second });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await count()).toBe(before);
    expect(db.pool.totalCount).toBe(db.pool.idleCount);
    const again = trip(db, [bind(takeFirst, { token: `a${at}` })], takeSecond, {
      token: `b${at}`,
    });
    expect(await again).toHaveLength(1);
  });

  it('uses a generic plan for a statement that declares it, but not inside a transaction', async () => {
    const mode = 'force_generic_plan';
    const name = planned.name;
    const alone = openDatabase({ ...options, url, size: 1 });
    try {
      expect(await ask(alone, planned, { name })).toEqual([
        { mode, plans: 'used for all 1, for some 0' },
      ]);
      expect(await trip(alone, [bind(take, { token: 'c0' })], planned, { name })).toEqual([
        { mode, plans: 'used for all 2, for some 0' },
      ]);
      expect(await inTransaction(alone, (tx) => ask(tx, planned, { name }))).toEqual([
        { mode: 'auto', plans: 'used for all 2, for some 1' },
      ]);
    } finally {
      await alone.close();
    }
  });
});
