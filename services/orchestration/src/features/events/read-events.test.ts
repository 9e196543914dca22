import { connectAlone, inTransaction, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { type EventClient, openEventClient, type ReceivedEvent } from '../../../test/event-client';
import { useHarness } from '../../../test/harness';
import { untilPast } from '../../../test/until-past';
import { recordActivities } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import { eventStreams } from './event-streams';
import { eventsBehind, presentPosition, readEvents } from './read-events';

const INSERT = `
  INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
  VALUES ($1::uuid, $2, 'system', $3, 'test', $1::text)`;

const limits = {
  max: 50,
  maxPerCompany: 50,
  maxPerCaller: 50,
  heartbeatMs: 15_000,
  recheckMs: 15_000,
  pollMs: 200,
  stallMs: 30_000,
};

describe('readEvents while transactions are open', () => {
  const harness = useHarness({ config: { eventStreams: limits, databasePoolSize: 14 } });

  const sessions: { end(): Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.end()));
  });

  const begin = async (companyId: string) => {
    const client = await connectAlone({
      url: harness.config.databaseUrl,
      applicationName: 'test',
      timeoutMs: 15_000,
      onLost: () => undefined,
    });
    sessions.push(client);
    await client.query('BEGIN');
    return {
      takeTransactionId: () => client.query('SELECT pg_current_xact_id()'),
      write: (action: string) => client.query(INSERT, [newId(), companyId, action]),
      commit: () => client.query('COMMIT'),
    };
  };

  const actionsOf = (client: EventClient) => client.events().map((event) => event.name);

  it('does not return rows that come after the row of an open transaction', async () => {
    const { context, build } = harness;
    const company = await build.company();
    const start = await presentPosition(context.db, company.id);
    await untilPast(harness, company.id);
    const stream = await openEventClient(harness.url, company.id);
    const slow = await begin(company.id);
    const quick = await begin(company.id);
    await slow.write('test.first');
    await quick.write('test.second');
    await quick.commit();

    const held = await readEvents(context.db, company.id, start);
    expect([held.events, held.isHeld]).toEqual([[], true]);
    await slow.commit();
    await until('both events', () => stream.events().length === 2);
    expect(actionsOf(stream)).toEqual(['test.first', 'test.second']);
    stream.close();
  });

  it('returns the row of the transaction that commits last, even if the row has a smaller sequence number', async () => {
    const { context, build } = harness;
    const company = await build.company();
    await untilPast(harness, company.id);
    const stream = await openEventClient(harness.url, company.id);
    const older = await begin(company.id);
    const younger = await begin(company.id);
    await older.takeTransactionId();
    await younger.takeTransactionId();
    await younger.write('test.smaller_sequence');
    await older.write('test.larger_sequence');
    await older.commit();
    await until('the row that is final', () => stream.events().length === 1);
    expect(actionsOf(stream)).toEqual(['test.larger_sequence']);
    stream.close();

    await younger.commit();
    const headers = { 'Last-Event-ID': stream.lastId() };
    const resumed = await openEventClient(harness.url, company.id, headers);
    await until('the row that came late', () => resumed.events().length === 1);
    expect(actionsOf(resumed)).toEqual(['test.smaller_sequence']);
    resumed.close();
    await until('the streams to be gone', () => eventStreams(context).count() === 0);
  });

  it('returns each of 500 rows once to a client that keeps reconnecting', async () => {
    const { context, build, db } = harness;
    const company = await build.company();
    const write = (count: number) =>
      inTransaction(context.db, async (tx) => {
        for (let row = 0; row < count; row++) {
          await recordActivities(tx, [
            {
              companyId: company.id,
              actor: SYSTEM,
              action: 'test.written',
              entityType: 'test',
              entityId: newId(),
            },
          ]);
        }
      });
    let reconnects = 0;
    const writer = async () => {
      for (let step = 0; step < 20; step++) {
        await until('the next connection', () => reconnects * 3 >= step);
        await write([1, 4, 2, 3][step % 4] as number);
      }
    };
    await untilPast(harness, company.id);
    const steady = await openEventClient(harness.url, company.id);
    const received: ReceivedEvent[] = [];
    let writing = true;
    const reconnecting = async () => {
      let lastId = steady.lastId();
      while (writing || received.length < 500) {
        const client = await openEventClient(harness.url, company.id, { 'Last-Event-ID': lastId });
        await until('some events', () => client.events().length > 0 || received.length >= 500);
        client.close();
        received.push(...client.events());
        lastId = client.lastId();
        reconnects++;
      }
    };
    const writers = Array.from({ length: 10 }, writer);
    const reader = reconnecting();
    await Promise.all(writers);
    writing = false;
    await reader;
    await until('the rest of the steady stream', () => steady.events().length >= 500);
    steady.close();

    const rows = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM activity WHERE company_id = ${company.id}::uuid AND action = 'test.written'
      ORDER BY transaction_id, sequence`;
    const committed = rows.map((row) => row.id);
    expect(committed).toHaveLength(500);
    expect(steady.events().map((event) => event.data.id)).toEqual(committed);
    expect(received.map((event) => event.data.id)).toEqual(committed);
    expect(reconnects).toBeGreaterThan(5);
  });

  it('finds rows of open transactions with an index, even if one company has all rows', async () => {
    const { context, build } = harness;
    const company = await build.company();
    const { pool } = context.db;
    await pool.query(
      `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
       SELECT gen_random_uuid(), $1, 'system', 'test.many', 'test', n::text FROM generate_series(1, 20000) n`,
      [company.id],
    );
    await pool.query('ANALYZE activity');
    const client = await pool.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE read_events (uuid, text, text) AS ${eventsBehind.text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN EXECUTE read_events ('${company.id}', '0', '0')`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toContain('Seq Scan on activity');
    } finally {
      client.release(true);
    }
  });
});
