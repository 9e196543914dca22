import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { ActivityView } from '@switchyard/types';
import { type EventClient, openEventClient } from '../../../test/event-client';
import { useHarness } from '../../../test/harness';
import { untilPast } from '../../../test/until-past';
import { eventStreams } from './event-streams';

/** The poll interval exceeds a test's time, so events arrive through Redis. */
const NEVER_MS = 3_600_000;
const limits = {
  max: 4,
  maxPerCompany: 4,
  maxPerCaller: 4,
  heartbeatMs: 50,
  recheckMs: 50,
  pollMs: NEVER_MS,
  stallMs: 30_000,
};

describe('GET /api/companies/{companyId}/events', () => {
  const harness = useHarness({ config: { eventStreams: limits } });
  const clients: EventClient[] = [];

  const open = async (companyId: string, headers: Record<string, string> = {}) => {
    if (!headers['Last-Event-ID']) await untilPast(harness, companyId);
    const client = await openEventClient(harness.url, companyId, headers);
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until('all streams to be gone', () => eventStreams(harness.context).count() === 0);
  });

  it('sends each change as its activity record, with the action as the event name', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const client = await open(company.id);
    const issue = await build.issue({ companyId: company.id });
    await api.patch(`/api/issues/${issue.id}`).send({ priority: 'high' });
    await until('two events', () => client.events().length === 2);

    const list = await api.get(`/api/companies/${company.id}/activity?entityType=issue`);
    const records = (list.body as ActivityView[]).reverse();
    expect(client.events().map((event) => event.data)).toEqual(records);
    expect(client.events().map((event) => event.name)).toEqual(['issue.created', 'issue.updated']);
  });

  it('sends a retry hint, and headers that disable proxy buffering', async () => {
    const company = await harness.build.company();
    const client = await open(company.id);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(client.text()).toMatch(/^retry: 2000\nid: \d+-0\n\n/);
    await until('a heartbeat', () => client.text().includes('\n\n: \n\n'));
  });

  it('starts with the next event, and sends only events of this company', async () => {
    const { build } = harness;
    const company = await build.company();
    const other = await build.company();
    await build.issue({ companyId: company.id });
    const client = await open(company.id);
    await build.issue({ companyId: other.id });
    const issue = await build.issue({ companyId: company.id });
    await until('an event', () => client.events().length > 0);
    expect(client.events().map((event) => event.data.entityId)).toEqual([issue.id]);
  });

  it('resumes after Last-Event-ID, even if the client had received no event', async () => {
    const { build } = harness;
    const company = await build.company();
    const first = await open(company.id);
    const start = first.lastId();
    const one = await build.issue({ companyId: company.id });
    await until('the first event', () => first.events().length === 1);
    first.close();
    const two = await build.issue({ companyId: company.id });

    const again = await open(company.id, { 'Last-Event-ID': start });
    await until('both events', () => again.events().length === 2);
    expect(again.events().map((event) => event.data.entityId)).toEqual([one.id, two.id]);
    const behind = await open(company.id, { 'Last-Event-ID': first.lastId() });
    await until('the second event', () => behind.events().length === 1);
    expect(behind.events()).toEqual(again.events().slice(1));
  });

  it('returns 400 for an unknown Last-Event-ID', async () => {
    const { build, db } = harness;
    const company = await build.company();
    const foreign = await build.company();
    const [row] = await db.$queryRaw<{ id: string }[]>`
      SELECT transaction_id || '-' || sequence AS id FROM activity
      WHERE company_id = ${foreign.id}::uuid`;
    const wrong = ['x', newId(), '1', '1-1', '9'.repeat(40), `${'9'.repeat(18)}-0`, row?.id ?? ''];
    for (const id of wrong) {
      const client = await openEventClient(harness.url, company.id, { 'Last-Event-ID': id });
      expect(client.status).toBe(400);
      expect(JSON.parse(client.text())).toMatchObject({
        code: 'validation_error',
        details: [{ path: ['Last-Event-ID'] }],
      });
    }
  });

  it('returns 401, 403 and 404 in the same cases as other routes', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const foreign = await build.liveRun();
    const path = `/api/companies/${company.id}/events`;
    const refused = await api.get(path).set('Authorization', foreign.authorization);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    expect((await api.get(`/api/companies/${newId()}/events`)).status).toBe(404);
    expect((await api.get('/api/companies/nonsense/events')).status).toBe(404);
    expect((await api.get(path).set('Authorization', 'Bearer nonsense')).status).toBe(401);
    const unknown = await api.get(`${path}?since=1`);
    expect([unknown.status, unknown.body.details[0].path]).toEqual([400, ['since']]);
  });

  it('streams to an agent until its run ends', async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const client = await open(companyId, { Authorization: run.authorization });
    await build.issue({ companyId });
    await until('an event', () => client.events().length === 1);
    await build.endLiveRun(run.id);
    expect(await client.ended).toBe('complete');
    const refused = await openEventClient(harness.url, companyId, {
      Authorization: run.authorization,
      'Last-Event-ID': client.lastId(),
    });
    expect(refused.status).toBe(401);
  });

  it('streams to an API key until the key is deleted', async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const key = await build.apiKey(agent.id);
    const client = await open(agent.companyId, { Authorization: key });
    await until('some rechecks', () => client.text().split(': \n\n').length > 4);
    const keys = await api.get(`/api/agents/${agent.id}/keys`);
    await api.delete(`/api/agents/${agent.id}/keys/${keys.body[0].id}`);
    expect(await client.ended).toBe('complete');
  });

  it('returns 503 with Retry-After at the limit, and 200 after a stream has ended', async () => {
    const { build, context } = harness;
    const company = await build.company();
    const other = await build.company();
    const full = await Promise.all(Array.from({ length: limits.max - 1 }, () => open(company.id)));
    full.push(await open(other.id));
    const refused = await openEventClient(harness.url, company.id);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(JSON.parse(refused.text())).toMatchObject({
      code: 'unavailable',
      details: { limit: 'process', max: limits.max },
    });
    full[0]?.close();
    await until('a free place', () => eventStreams(context).count() < limits.max);
    expect((await open(company.id)).status).toBe(200);
  });

  it('does not count HEAD requests as streams', async () => {
    const { build, api, context } = harness;
    const company = await build.company();
    const head = await api.head(`/api/companies/${company.id}/events`);
    expect([head.status, head.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(eventStreams(context).count()).toBe(0);
  });
});
