import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { type ChangeClient, openChangeClient } from '../../../test/change-client';
import { useHarness } from '../../../test/harness';
import { untilPast } from '../../../test/until-past';
import { systemCall } from '../../kernel/call';
import { recordUsage } from '../../state/costs/record-usage';
import { claimRun } from '../../state/runs/claim-run';
import { finishRun } from '../../state/runs/end-run';
import { appendRunLog } from '../../state/runs/run-log';
import { eventStreams } from '../events/event-streams';
import { parsePosition } from '../events/position';

const NEVER_MS = 3_600_000;
const limits = {
  max: 100,
  maxPerCompany: 6,
  maxPerCaller: 6,
  heartbeatMs: 50,
  recheckMs: 50,
  pollMs: NEVER_MS,
  stallMs: 30_000,
};

describe('GET /api/companies/{companyId}/changes', () => {
  const harness = useHarness({ config: { eventStreams: limits } });
  const clients: ChangeClient[] = [];

  const open = async (companyId: string, options: Parameters<typeof openChangeClient>[2] = {}) => {
    if (!options.query && !options.headers) await untilPast(harness, companyId);
    const client = await openChangeClient(harness.url, companyId, options);
    clients.push(client);
    return client;
  };
  const openLive = async (...args: Parameters<typeof open>) => {
    const client = await open(...args);
    await client.live();
    return client;
  };

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until('all streams to be gone', () => eventStreams(harness.context).count() === 0);
  });

  it('sends each change with the row as it appears in its list', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const at = `/api/companies/${company.id}`;
    const client = await openLive(company.id);
    const issue = await build.issue({ companyId: company.id });
    await api.patch(`/api/issues/${issue.id}`).send({ priority: 'high' }).expect(200);
    await until('the change', () =>
      client.changes().some(({ activity }) => activity?.action === 'issue.updated'),
    );
    const [listed] = (await api.get(`${at}/issues`).expect(200)).body;
    expect(client.row('issue', issue.id)).toEqual(listed);
    const [entry] = (await api.get(`${at}/activity?action=issue.updated`).expect(200)).body;
    const change = client.changes().find(({ activity }) => activity?.action === 'issue.updated');
    expect(change?.activity).toEqual(entry);
    expect(change?.version).toBe(client.lastId());
  });

  it('sends rows of every entity type that has a list', async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const client = await openLive(companyId);
    const goal = await build.goal({ companyId });
    const project = await build.project({ companyId });
    const routine = await build.routine({ companyId, assigneeAgentId: agent.id });
    const asked = { type: 'approve_ceo_strategy', payload: { plan: 'grow' } };
    const approval = await api.post(`/api/companies/${companyId}/approvals`).send(asked);
    await api.patch(`/api/agents/${agent.id}`).send({ title: 'Chief' }).expect(200);
    await api.patch(`/api/companies/${companyId}`).send({ name: 'New' }).expect(200);
    await until('the last of them', () => client.row('company', companyId)?.name === 'New');
    const listed = async (list: string, id: string) =>
      (await api.get(`/api/companies/${companyId}/${list}`).expect(200)).body.find(
        (row: { id: string }) => row.id === id,
      );
    expect(client.row('goal', goal.id)).toEqual(await listed('goals', goal.id));
    expect(client.row('project', project.id)).toEqual(await listed('projects', project.id));
    expect(client.row('routine', routine.id)).toEqual(await listed('routines', routine.id));
    expect(client.row('approval', approval.body.id)).toEqual(
      await listed('approvals', approval.body.id),
    );
    const { adapterConfig, capabilities, ...small } = await listed('agents', agent.id);
    expect(client.row('agent', agent.id)).toEqual(small);
    expect(client.row('company', companyId)).toEqual(
      (await api.get(`/api/companies/${companyId}`)).body,
    );
  });

  it('sends each change of a run with its agent, issue and company', async () => {
    const { build, api, db, context } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const issue = await build.issue({ companyId, assigneeAgentId: agent.id, status: 'todo' });
    const client = await openLive(companyId);
    const invoked = await api
      .post(`/api/agents/${agent.id}/heartbeat/invoke`)
      .send({ issueId: issue.id })
      .expect(202);
    const runId: string = invoked.body.id;
    const status = () => client.row('heartbeat_run', runId)?.status;
    await until('the run to wait', () => status() === 'queued');
    const waiting = { id: runId, companyId, agentId: agent.id };
    const run = await claimRun(context, waiting, 'worker');
    await until('the run to run', () => status() === 'running');
    await until('its agent to run', () => client.row('agent', agent.id)?.status === 'running');
    await until(
      'its issue to show it',
      () => client.row('issue', issue.id)?.liveRun?.status === 'running',
    );
    const claimed = run as NonNullable<typeof run>;
    await appendRunLog(context.db, claimed, Buffer.from('first\nsecond line\n'));
    await until(
      'its last line',
      () => client.row('heartbeat_run', runId)?.lastLogLine === 'second line',
    );
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2, costCents: 7 };
    await recordUsage(systemCall(context, companyId), claimed, usage, 'agent');
    await until('what it costs', () => client.row('heartbeat_run', runId)?.usage.costCents === 7);
    await until('the spend', () => client.row('company', companyId)?.spentMonthlyCents === 7);
    expect(client.row('agent', agent.id)?.spentMonthlyCents).toBe(7);
    await finishRun(context, claimed, { status: 'succeeded', exitCode: 0 });
    await until('its end', () => status() === 'succeeded');
    await until('its agent to be idle', () => client.row('agent', agent.id)?.status === 'idle');
    expect(await db.activity.count({ where: { companyId, action: 'heartbeat.started' } })).toBe(1);
  });

  it('begins with the current state, and sends only data of this company', async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const other = await build.liveRun();
    const client = await openLive(run.agent.companyId);
    expect(client.row('heartbeat_run', run.id)?.status).toBe('running');
    await build.issue({ companyId: other.agent.companyId });
    const issue = await build.issue({ companyId: run.agent.companyId });
    await until('the issue', () => client.row('issue', issue.id));
    const companies = client
      .changes()
      .flatMap(({ rows }) =>
        rows.map(({ row }) => (row && 'companyId' in row ? row.companyId : null)),
      );
    expect(new Set(companies)).toEqual(new Set([run.agent.companyId, null]));
    expect(client.text()).not.toContain(other.id);
  });

  it('begins with the current row of each active run, even if the run changed before the client connected', async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const client = await openLive(companyId);
    await api.post(`/api/heartbeat-runs/${run.id}/cancel`).expect(200);
    await until('the change', () => client.changes().some(({ activity }) => activity !== null));
    const later = await openLive(companyId);
    expect(later.row('heartbeat_run', run.id)).toEqual(client.row('heartbeat_run', run.id));
    expect(later.row('agent', run.agent.id)?.id).toBe(run.agent.id);
    await build.endLiveRun(run.id);
    await until('its end', () => later.row('heartbeat_run', run.id)?.status !== 'running');
    const last = await openLive(companyId);
    expect(last.changes()).toEqual([]);
  });

  it('resumes after the last event id, by header or query, with current rows', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const first = await openLive(company.id);
    const start = first.lastId();
    const issue = await build.issue({ companyId: company.id });
    await until('the issue', () => first.row('issue', issue.id));
    first.close();
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'One' }).expect(200);
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'Two' }).expect(200);

    const byHeader = await openLive(company.id, { headers: { 'Last-Event-ID': start } });
    const actions = (client: ChangeClient) => client.changes().map((one) => one.activity?.action);
    expect(actions(byHeader)).toEqual(['issue.created', 'issue.updated', 'issue.updated']);
    expect(byHeader.row('issue', issue.id)?.title).toBe('Two');
    expect(byHeader.changes().map(({ rows }) => rows.length)).toEqual([0, 0, 1]);
    const byQuery = await openLive(company.id, { query: `?after=${first.lastId()}` });
    expect(actions(byQuery)).toEqual(['issue.updated', 'issue.updated']);
    const both = { headers: { 'Last-Event-ID': byQuery.lastId() }, query: `?after=${start}` };
    expect(actions(await openLive(company.id, both))).toEqual([]);
  });

  it('sends the company’s spend if a run ended while no client was connected', async () => {
    const { build, context } = harness;
    const { id: agentId, companyId } = await build.agent();
    const first = await openLive(companyId);
    first.close();
    await until('its place to be free', () => eventStreams(context).count() === 0);
    const claimed = await claimRun(context, await build.queuedRun(agentId), 'worker');
    const run = claimed as NonNullable<typeof claimed>;
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2, costCents: 7 };
    await recordUsage(systemCall(context, companyId), run, usage, 'agent');
    await finishRun(context, run, { status: 'succeeded', exitCode: 0 });
    const client = await openLive(companyId, { headers: { 'Last-Event-ID': first.lastId() } });
    expect(client.row('heartbeat_run', run.id)?.status).toBe('succeeded');
    expect(client.row('company', companyId)?.spentMonthlyCents).toBe(7);
  });

  it('sends reset for an unknown position', async () => {
    const { build, db } = harness;
    const company = await build.company();
    const foreign = await build.company();
    const [row] = await db.$queryRaw<{ id: string }[]>`
      SELECT transaction_id || '-' || sequence AS id FROM activity
      WHERE company_id = ${foreign.id}::uuid`;
    for (const id of ['1-1', `${'9'.repeat(18)}-0`, row?.id ?? '']) {
      const client = await openLive(company.id, { headers: { 'Last-Event-ID': id } });
      expect(client.resets()).toEqual([
        { version: expect.stringMatching(/^\d+-\d+$/), reason: 'unknown_position' },
      ]);
      expect(client.text()).toMatch(/^retry: 2000\nid: \d+-\d+\nevent: reset\n/);
      const issue = await build.issue({ companyId: company.id });
      await until('the issue', () => client.row('issue', issue.id));
    }
  });

  it('sends reset if the client is more than a thousand changes behind', async () => {
    const { build, asOwner } = harness;
    const company = await build.company();
    const first = await openLive(company.id);
    const start = first.lastId();
    first.close();
    await asOwner(`
      INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id, details)
      SELECT gen_random_uuid(), '${company.id}', 'system', 'label.updated', 'label', gen_random_uuid(), '{}'
      FROM generate_series(1, 1300)`);
    await untilPast(harness, company.id);
    const client = await openLive(company.id, { headers: { 'Last-Event-ID': start } });
    expect(client.resets().map(({ reason }) => reason)).toEqual(['too_far_behind']);
    const behind = await openLive(company.id, { query: `?after=${client.lastId()}` });
    expect([behind.changes(), behind.resets()]).toEqual([[], []]);
  });

  it('adds X-Event-Position to all responses while a client is connected', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const path = `/api/companies/${company.id}`;
    expect((await api.get(path)).headers).not.toHaveProperty('x-event-position');
    const client = await openLive(company.id);
    const issue = await build.issue({ companyId: company.id });
    await until('the issue', () => client.row('issue', issue.id));
    const answer = await api.get(`/api/issues/${issue.id}`);
    const known = parsePosition(answer.headers['x-event-position'] as string);
    const seen = parsePosition(client.lastId());
    expect(known?.transaction).toBeGreaterThanOrEqual(seen?.transaction as bigint);
  });

  it('resumes from the position that the list of companies returns', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const before = await build.issue({ companyId: company.id });
    await untilPast(harness, company.id);
    const { headers } = await api.get('/api/companies').expect(200);
    const after = await build.issue({ companyId: company.id });
    const client = await openLive(company.id, { query: `?after=${headers['x-event-position']}` });
    await until('the issue', () => client.row('issue', after.id));
    expect(client.row('issue', before.id)).toBeUndefined();
    expect(client.resets()).toEqual([]);
  });

  it('rejects invalid parameters, agents and unknown companies', async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const path = `/api/companies/${agent.companyId}/changes`;
    for (const [field, query, headers] of [
      ['after', '?after=x', {}],
      ['after', '?after=1', {}],
      ['after', `?after=${'9'.repeat(40)}-1`, {}],
      ['since', '?since=1', {}],
      ['Last-Event-ID', '', { 'Last-Event-ID': 'x' }],
    ] as const) {
      const { status, body } = await api.get(`${path}${query}`).set(headers);
      expect([field, status, body.details[0].path]).toEqual([field, 400, [field]]);
    }
    const key = await build.apiKey(agent.id);
    const refused = await api.get(path).set('Authorization', key);
    expect([refused.status, refused.body.code]).toEqual([403, 'board_only']);
    expect((await api.get(`/api/companies/${newId()}/changes`)).status).toBe(404);
    expect((await api.get(path).set('Authorization', 'Bearer nonsense')).status).toBe(401);
  });

  it('counts toward the limit of event streams, except for HEAD requests', async () => {
    const { build, api, context } = harness;
    const company = await build.company();
    expect((await api.head(`/api/companies/${company.id}/changes`)).status).toBe(200);
    expect(eventStreams(context).count()).toBe(0);
    for (let n = 0; n < limits.max; n++) await open(company.id);
    const { status, headers } = await api.get(`/api/companies/${company.id}/changes`);
    expect([status, headers['retry-after']]).toEqual([429, '5']);
  });
});
