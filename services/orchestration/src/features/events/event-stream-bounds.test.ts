import { until } from '@switchyard/testing';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { type EventClient, openEventClient } from '../../../test/event-client';
import { eventStreams } from './event-streams';

const limits = {
  max: 16,
  maxPerCompany: 6,
  maxPerCaller: 3,
  heartbeatMs: 15_000,
  recheckMs: 15_000,
  pollMs: 3_600_000,
  stallMs: 30_000,
};

describe('the limits of event streams', () => {
  const harness = useAuthenticatedHarness({ config: { eventStreams: limits } });
  const clients: EventClient[] = [];

  const keysOf = async (companyId: string, agents: number) =>
    Promise.all(
      Array.from({ length: agents }, async () => {
        const { id } = await harness.build.agent({ companyId });
        return harness.build.apiKey(id);
      }),
    );
  const open = async (companyId: string, headers: Record<string, string>) => {
    const client = await openEventClient(harness.url, companyId, headers);
    clients.push(client);
    return client;
  };
  const statuses = (opened: EventClient[]) => opened.map(({ status }) => status).sort();
  const count = () => eventStreams(harness.context).count();

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until('all streams to be gone', () => count() === 0);
  });

  it('keep streams available for other companies, and for other callers of the same company', async () => {
    const greedy = await harness.build.company();
    const keys = await keysOf(greedy.id, 4);
    const wanted = keys.flatMap((key) => Array.from({ length: 5 }, () => key));
    const opened = await Promise.all(
      wanted.map((Authorization) => open(greedy.id, { Authorization })),
    );
    expect(statuses(opened).filter((status) => status === 200)).toHaveLength(6);
    expect(new Set(statuses(opened))).toEqual(new Set([200, 429]));
    const refusals = opened
      .filter(({ status }) => status === 429)
      .map(({ text, headers }) => ({ ...JSON.parse(text()), retryAfter: headers['retry-after'] }));
    for (const { code, details, retryAfter } of refusals) {
      expect([code, retryAfter]).toEqual(['rate_limited', '5']);
      expect([
        { limit: 'company', max: 6 },
        { limit: 'caller', max: 3 },
      ]).toContainEqual(details);
    }
    const other = await harness.build.company();
    const owner = await harness.operator(other.id);
    expect((await open(other.id, { cookie: owner.cookie })).status).toBe(200);
  });

  it('apply to all sessions of a caller together, and allow a new stream when one ends', async () => {
    const [one, two] = [await harness.build.company(), await harness.build.company()];
    const { cookie } = await harness.operator(one.id);
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(one.id, { cookie })));
    expect(statuses(opened)).toEqual([200, 200, 200, 429]);
    expect((await open(two.id, { cookie })).status).toBe(403);
    const [key] = await keysOf(one.id, 1);
    expect((await open(one.id, { Authorization: key as string })).status).toBe(200);
    opened.find(({ status }) => status === 200)?.close();
    await until('a place that was left', () => count() === 3);
    expect((await open(one.id, { cookie })).status).toBe(200);
  });

  it('keep one stream available for another company under concurrent load', async () => {
    const companies = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { id } = await harness.build.company();
        return { id, keys: await keysOf(id, 2) };
      }),
    );
    const pressed = companies.flatMap(({ id, keys }) =>
      keys.flatMap((Authorization) => Array.from({ length: 3 }, () => open(id, { Authorization }))),
    );
    const opened = await Promise.all(pressed);
    const refused = opened.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, text, headers } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(JSON.parse(text()).details).toEqual({ limit: 'share', max: 16 });
    }
    const late = await harness.build.company();
    const owner = await harness.operator(late.id);
    expect((await open(late.id, { cookie: owner.cookie })).status).toBe(200);
  });
});
