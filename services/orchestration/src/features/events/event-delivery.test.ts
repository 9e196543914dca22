import { type Gate, openGate, redisUrl, until } from '@switchyard/testing';
import { type EventClient, openEventClient } from '../../../test/event-client';
import { type Harness, startHarness } from '../../../test/harness';
import { type Replica, startReplica } from '../../../test/replica';
import { untilPast } from '../../../test/until-past';
import { eventStreams } from './event-streams';

const timings = {
  max: 50,
  maxPerCompany: 50,
  maxPerCaller: 50,
  heartbeatMs: 15_000,
  recheckMs: 15_000,
  stallMs: 30_000,
};

const entitiesOf = (client: EventClient) => client.events().map((event) => event.data.entityId);

describe('event delivery', () => {
  let gate: Gate;
  let harness: Harness;
  const replicas: Replica[] = [];

  const replica = async (pollMs: number) => {
    const { config } = harness;
    const started = await startReplica({ ...config, eventStreams: { ...timings, pollMs } });
    replicas.push(started);
    return started;
  };
  const redisAnswers = async (...contexts: Harness['context'][]) => {
    const isReady = ({ queues }: Harness['context']) => queues.producer.status === 'ready';
    await until('Redis', () => contexts.every(isReady));
  };

  beforeAll(async () => {
    gate = await openGate(redisUrl());
    harness = await startHarness({ config: { redisUrl: gate.url } });
  });
  afterAll(async () => {
    await harness.close();
    await gate.close();
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((each) => each.close()));
  });

  it('sends events of one process to streams of another process without polling the table', async () => {
    const { build, context } = harness;
    const company = await build.company();
    const other = await replica(3_600_000);
    await redisAnswers(context, other.context);
    await untilPast(harness, company.id);
    const client = await openEventClient(other.url, company.id);
    await until('the subscription', async () => {
      const channel = `${harness.config.redisPrefix}:company:${company.id}`;
      const [, listeners] = await context.queues.producer.pubsub('NUMSUB', channel);
      return listeners === 1;
    });
    for (let round = 1; round <= 3; round++) {
      const issue = await build.issue({ companyId: company.id });
      await until('the event', () => entitiesOf(client).includes(issue.id));
      expect(client.events()).toHaveLength(round);
    }
    client.close();
  });

  it('reads the table while Redis is unavailable, without losing, repeating or reordering events', async () => {
    const { build, context } = harness;
    const company = await build.company();
    const other = await replica(50);
    await redisAnswers(context, other.context);
    await untilPast(harness, company.id);
    const client = await openEventClient(other.url, company.id);
    const issues = [await build.issue({ companyId: company.id })];
    await until('the first event', () => client.events().length === 1);

    await gate.shut();
    issues.push(await build.issue({ companyId: company.id }));
    const late = await openEventClient(other.url, company.id, { 'Last-Event-ID': client.lastId() });
    issues.push(await build.issue({ companyId: company.id }));
    await until('events without Redis', () => client.events().length === 3);

    await gate.open();
    await redisAnswers(context, other.context);
    issues.push(await build.issue({ companyId: company.id }));
    await until('events with Redis again', () => client.events().length === 4);
    const ids = issues.map((issue) => issue.id);
    expect(entitiesOf(client)).toEqual(ids);
    await until('the later stream', () => late.events().length >= 3);
    expect(entitiesOf(late)).toEqual(ids.slice(-late.events().length));
    client.close();
    late.close();
  });

  it('uses Redis again after an outage, without polling the table', async () => {
    const { build, context } = harness;
    const company = await build.company();
    const other = await replica(3_600_000);
    await redisAnswers(context, other.context);
    await untilPast(harness, company.id);
    const client = await openEventClient(other.url, company.id);
    await gate.shut();
    await until('the loss', () => context.queues.producer.status !== 'ready');
    const unheard = await build.issue({ companyId: company.id });
    await gate.open();
    await until('what was missed meanwhile', () => client.events().length === 1);
    await redisAnswers(context, other.context);
    const heard = await build.issue({ companyId: company.id });
    await until('what came later', () => client.events().length === 2);
    expect(entitiesOf(client)).toEqual([unheard.id, heard.id]);
    client.close();
  });

  it('ends all streams when the process stops, and accepts no new streams', async () => {
    const { build } = harness;
    const company = await build.company();
    const other = await replica(2_000);
    const clients = await Promise.all(
      Array.from({ length: 3 }, () => openEventClient(other.url, company.id)),
    );
    await eventStreams(other.context).close();
    const refused = await openEventClient(other.url, company.id);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    await other.listening.close(3_600_000);
    expect(await Promise.all(clients.map((client) => client.ended))).toEqual([
      'complete',
      'complete',
      'complete',
    ]);
  });

  it('disconnects a client that does not read, and lets it resume without loss', async () => {
    const { build, context, config } = harness;
    const company = await build.company();
    const limits = { ...timings, pollMs: 50, stallMs: 200 };
    const other = await startReplica({ ...config, eventStreams: limits });
    replicas.push(other);
    await untilPast(harness, company.id);
    const client = await openEventClient(other.url, company.id);
    client.pause();
    await context.db.pool.query(
      `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id, details)
       SELECT gen_random_uuid(), $1, 'system', 'test.large', 'test', n, jsonb_build_object('text', repeat('x', 100000))
       FROM generate_series(1, 200) n`,
      [company.id],
    );
    await until('the cut', () => eventStreams(other.context).count() === 0);
    client.resume();
    expect(await client.ended).toBe('cut');
    const before = client.events().length;
    expect(before).toBeLessThan(200);

    const headers = { 'Last-Event-ID': client.lastId() };
    const again = await openEventClient(harness.url, company.id, headers);
    await until('the rest', () => again.events().length === 200 - before);
    const numbers = Array.from({ length: 200 }, (_, n) => String(n + 1));
    expect([...entitiesOf(client), ...entitiesOf(again)]).toEqual(numbers);
    again.close();
  });
});
