import { until } from '@switchyard/testing';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { type ChangeClient, openChangeClient } from '../../../test/change-client';
import { startReplica } from '../../../test/replica';
import { eventStreams } from '../events/event-streams';

describe('GET /api/companies/{companyId}/changes in authenticated mode', () => {
  const limits = {
    max: 100,
    maxPerCompany: 20,
    maxPerCaller: 20,
    heartbeatMs: 50,
    recheckMs: 50,
    pollMs: 2_000,
    stallMs: 30_000,
  };
  const harness = useAuthenticatedHarness({ config: { eventStreams: limits } });
  const clients: ChangeClient[] = [];

  const open = async (cookie: string, companyId: string, after?: string, url = harness.url) => {
    const query = after ? `?after=${after}` : '';
    const client = await openChangeClient(url, companyId, { headers: { cookie }, query });
    clients.push(client);
    if (client.status === 200) await client.live();
    return client;
  };

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until('all streams to be gone', () => eventStreams(harness.context).count() === 0);
  });

  it('streams only to members, and ends when their session ends', async () => {
    const { build } = harness;
    const company = await build.company();
    const member = await harness.operator(company.id);
    const stranger = await harness.operator((await build.company()).id);
    const client = await open(member.cookie, company.id);
    const issue = await build.issue({ companyId: company.id });
    await until('the issue', () => client.row('issue', issue.id));
    expect((await open(stranger.cookie, company.id)).status).toBe(403);
    expect((await open('', company.id)).status).toBe(401);
    await harness.as(member).post('/api/auth/logout').expect(204);
    await client.ended;
  });

  it('loses no change when the client resumes on another process', async () => {
    const { build } = harness;
    const company = await build.company();
    const { cookie } = await harness.operator(company.id);
    const replica = await startReplica({ ...harness.config, eventStreams: limits });
    const run = await build.liveRun({ companyId: company.id });
    const first = await open(cookie, company.id, undefined, replica.url);
    expect(first.row('heartbeat_run', run.id)?.status).toBe('running');
    await build.issue({ companyId: company.id });
    await until('a change', () => first.changes().some(({ activity }) => activity !== null));
    await replica.close();
    await first.ended;
    const missed = await build.issue({ companyId: company.id });
    const started = await build.liveRun({ companyId: company.id });
    const again = await open(cookie, company.id, first.lastId());
    expect(again.resets()).toEqual([]);
    expect(again.row('issue', missed.id)?.id).toBe(missed.id);
    expect(again.row('heartbeat_run', started.id)?.status).toBe('running');
    expect(again.row('agent', started.agent.id)?.id).toBe(started.agent.id);
  });
});
