import { ask, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { IssueView } from '@switchyard/types';
import type { LiveRun } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { inTransaction, systemCall } from '../../kernel/call';
import { lockAgentRow } from '../../state/agents/lock-agent';
import { updateCompany } from '../companies/update-company';

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('POST /api/issues/:issueId/checkout', () => {
  const harness = useHarness();

  const checkout = (
    issueId: string,
    caller: { authorization?: string | undefined; runId?: string },
    agentId: string,
    expectedStatuses: string[] = ['todo'],
  ) => {
    const request = harness.api.post(`/api/issues/${issueId}/checkout`);
    if (caller.authorization) request.set('Authorization', caller.authorization);
    if (caller.runId) request.set('X-Service-Run-Id', caller.runId);
    return request.send({ agentId, expectedStatuses });
  };

  async function setUp(body: object = {}): Promise<{ run: LiveRun; issue: IssueView }> {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const issue = await harness.build.issue({ companyId, status: 'todo', ...body });
    return { run, issue };
  }

  it('sets in_progress, assignee, lock and started_at, and records one activity', async () => {
    const { run, issue } = await setUp();
    const { body } = await checkout(issue.id, run, run.agent.id).expect(200);
    const { updatedAt: _, ...same } = issue;
    expect(body).toMatchObject({
      ...same,
      revision: issue.revision + 1,
      status: 'in_progress',
      assigneeAgentId: run.agent.id,
      checkoutRunId: run.id,
      checkedOutAt: expect.stringMatching(/Z$/),
      started_at: expect.stringMatching(/Z$/),
      completed_at: null,
      cancelledAt: null,
    });
    const activity = await harness.db.activity.findMany({
      where: { entityId: issue.id, action: 'issue.checked_out' },
    });
    expect(activity).toMatchObject([{ actorId: run.agent.id, runId: run.id }]);
  });

  it('accepts the ids of the issue and the agent in upper case', async () => {
    const { run, issue } = await setUp();
    await checkout(issue.id.toUpperCase(), run, run.agent.id.toUpperCase()).expect(200);
    const { body } = await checkout(issue.id, run, run.agent.id.toUpperCase()).expect(200);
    expect(body).toMatchObject({ assigneeAgentId: run.agent.id, checkoutRunId: run.id });
  });

  it.each(['backlog', 'todo', 'blocked'])(
    'succeeds if the status %s is expected',
    async (status) => {
      const { run, issue } = await setUp({ status });
      await checkout(issue.id, run, run.agent.id, [status, 'done']).expect(200);
    },
  );

  it('waits for a concurrent budget change, and fails if that budget is spent', async () => {
    const { run, issue } = await setUp();
    const { api, context } = harness;
    const { id: agentId, companyId } = run.agent;
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 100 };
    const path = `/api/companies/${companyId}/cost-events`;
    await api
      .post(path)
      .send({ ...cost, agentId })
      .expect(201);
    const waits = async () => (await context.db.pool.query(LOCK_WAITS)).rows.length > 0;
    const { claiming } = await inTransaction(systemCall(context, companyId), async (tx) => {
      await updateCompany(tx, { budgetMonthlyCents: 100 });
      const claiming = checkout(issue.id, run, agentId).then((answer) => answer);
      await until('the checkout to wait', waits);
      return { claiming };
    });
    const { status, body } = await claiming;
    expect({ status, reason: body.details?.reason }).toEqual({
      status: 409,
      reason: 'company_budget',
    });
  });

  it.each(['in_review', 'done', 'cancelled'])(
    'returns 409 for the status %s, even if it is expected',
    async (status) => {
      const { run, issue } = await setUp({ status });
      const before = await everything(harness);
      const { body } = await checkout(issue.id, run, run.agent.id, [status]).expect(409);
      expect(body).toMatchObject({
        code: 'status_mismatch',
        details: { status, reason: 'status_mismatch' },
      });
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('returns 409 with the actual status if the request does not expect that status', async () => {
    const { run, issue } = await setUp({ status: 'backlog' });
    const { body } = await checkout(issue.id, run, run.agent.id, ['todo', 'blocked']).expect(409);
    expect(body.details).toEqual({
      issueId: issue.id,
      status: 'backlog',
      assigneeAgentId: null,
      assigneeUserId: null,
      checkoutRunId: null,
      checkoutUserId: null,
      holderRunStatus: null,
      reason: 'status_mismatch',
      retry: false,
    });
  });

  it('returns the first response when the run repeats the request, even if the request expects other statuses', async () => {
    const { run, issue } = await setUp();
    const { body: first } = await checkout(issue.id, run, run.agent.id).expect(200);
    const before = await everything(harness);
    for (const expected of [['todo'], ['done'], ['in_progress']]) {
      const { body } = await checkout(issue.id, run, run.agent.id, expected).expect(200);
      expect(body).toEqual(first);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('returns the first response when an agent without a run repeats the request', async () => {
    const { build } = harness;
    const { run, issue } = await setUp();
    const authorization = await build.apiKey(run.agent.id);
    const { body: first } = await checkout(issue.id, { authorization }, run.agent.id).expect(200);
    expect(first).toMatchObject({ checkoutRunId: null, assigneeAgentId: run.agent.id });
    const { body } = await checkout(issue.id, { authorization }, run.agent.id, ['done']).expect(
      200,
    );
    expect(body).toEqual(first);
    const other = await build.liveRun({ companyId: issue.companyId });
    const refused = await checkout(issue.id, other, other.agent.id, ['in_progress']).expect(409);
    expect(refused.body.details).toMatchObject({
      reason: 'owned_by_other_agent',
      assigneeAgentId: run.agent.id,
      checkoutRunId: null,
    });
  });

  it('returns 409 for an issue of another agent, even if the request expects its status', async () => {
    const { build } = harness;
    const { run, issue } = await setUp();
    const owner = await build.agent({ companyId: issue.companyId });
    const assigned = await build.issue({
      companyId: issue.companyId,
      status: 'todo',
      assigneeAgentId: owner.id,
    });
    const { body } = await checkout(assigned.id, run, run.agent.id).expect(409);
    expect(body).toMatchObject({
      code: 'checked_out',
      details: {
        status: 'todo',
        assigneeAgentId: owner.id,
        reason: 'owned_by_other_agent',
        retry: false,
      },
    });
  });

  it('returns 409 while another live run of the same agent has checked out the issue', async () => {
    const { run, issue } = await setUp();
    await checkout(issue.id, run, run.agent.id).expect(200);
    const sibling = await harness.build.liveRun(run.agent);
    const before = await everything(harness);
    const { body } = await checkout(issue.id, sibling, run.agent.id, ['in_progress']).expect(409);
    expect(body).toMatchObject({
      code: 'checked_out',
      details: { reason: 'live_sibling_run', checkoutRunId: run.id, holderRunStatus: 'running' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it('moves the lock from an ended run to a new run of the agent if in_progress is expected', async () => {
    const { run, issue } = await setUp();
    await checkout(issue.id, run, run.agent.id).expect(200);
    await harness.build.endLiveRun(run.id);
    const next = await harness.build.liveRun(run.agent);
    const early = await checkout(issue.id, next, run.agent.id, ['todo']).expect(409);
    expect(early.body.details).toMatchObject({
      reason: 'status_mismatch',
      holderRunStatus: 'succeeded',
    });
    const { body } = await checkout(issue.id, next, run.agent.id, ['in_progress']).expect(200);
    expect(body).toMatchObject({ checkoutRunId: next.id, assigneeAgentId: run.agent.id });
    const activity = await harness.db.activity.findFirstOrThrow({
      where: { entityId: issue.id, runId: next.id },
    });
    expect(activity.details).toMatchObject({ adoptedRunId: run.id });
  });

  it('gives an ended run’s lock to only one of the agent’s two concurrent runs', async () => {
    const { run, issue } = await setUp();
    const { build, context } = harness;
    await checkout(issue.id, run, run.agent.id).expect(200);
    await build.endLiveRun(run.id);
    const siblings = [await build.liveRun(run.agent), await build.liveRun(run.agent)];
    const bothWait = async () => (await context.db.pool.query(LOCK_WAITS)).rows.length === 2;
    const { claiming } = await inTransaction(systemCall(context, issue.companyId), async (tx) => {
      await ask(tx, lockAgentRow, { agentId: run.agent.id });
      const claiming = Promise.all(
        siblings.map((each) => checkout(issue.id, each, run.agent.id, ['in_progress'])),
      );
      await until('both checkouts to wait', bothWait);
      return { claiming };
    });
    const answers = await claiming;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect(refused?.body.details).toMatchObject({ reason: 'live_sibling_run' });
  });

  it('returns 409 if an ended run of another agent held the issue', async () => {
    const { run, issue } = await setUp();
    await checkout(issue.id, run, run.agent.id).expect(200);
    await harness.build.endLiveRun(run.id);
    const other = await harness.build.liveRun({ companyId: issue.companyId });
    const { body } = await checkout(issue.id, other, other.agent.id, ['in_progress']).expect(409);
    expect(body.details.reason).toBe('owned_by_other_agent');
  });

  it('sets a lock that ends with the run, while status and assignee remain unchanged', async () => {
    const { api, build, db, drain, scripted } = harness;
    const agent = await build.agent();
    const issue = await build.issue({ companyId: agent.companyId, status: 'todo' });
    let claimed: { status: number } | undefined;
    scripted.on(agent.id, async (run) => {
      const authorization = `Bearer ${run.environment.SERVICE_API_KEY}`;
      claimed = await checkout(issue.id, { authorization }, agent.id);
      return {
        status: 'failed',
        exitCode: 1,
        errorCode: 'adapter_exit',
        error: 'x',
        transient: false,
      };
    });
    await api.post(`/api/agents/${agent.id}/heartbeat/invoke`).expect(202);
    await drain();
    expect(claimed?.status).toBe(200);
    expect(await db.issue.findUniqueOrThrow({ where: { id: issue.id } })).toMatchObject({
      status: 'in_progress',
      assigneeAgentId: agent.id,
      checkoutRunId: null,
      checkedOutAt: null,
    });
  });

  it('lets an agent check out only for itself, and the board for any agent', async () => {
    const { build } = harness;
    const { run, issue } = await setUp();
    const other = await build.agent({ companyId: issue.companyId });
    const refused = await checkout(issue.id, run, other.id).expect(403);
    expect(refused.body.code).toBe('not_own');
    const { body } = await checkout(issue.id, {}, other.id).expect(200);
    expect(body).toMatchObject({ assigneeAgentId: other.id, checkoutRunId: null });
    expect((await checkout(issue.id, {}, other.id, ['done']).expect(200)).body).toEqual(body);
  });

  it('rejects a request of the board for a foreign, unknown or terminated agent, or with another agent’s run', async () => {
    const { api, build } = harness;
    const { run, issue } = await setUp();
    const foreign = await build.agent();
    const gone = await build.agent({ companyId: issue.companyId });
    await api.post(`/api/agents/${gone.id}/terminate`).expect(200);
    const before = await everything(harness);
    const cases: [string, number, string][] = [
      [foreign.id, 403, 'cross_company'],
      [newId(), 422, 'unknown_reference'],
      [gone.id, 422, 'semantic_error'],
    ];
    for (const [agentId, status, code] of cases) {
      const { body } = await checkout(issue.id, {}, agentId).expect(status);
      expect(body).toMatchObject({ code, details: { field: 'agentId' } });
    }
    expect(await everything(harness)).toEqual(before);
    const other = await build.agent({ companyId: issue.companyId });
    await checkout(issue.id, { runId: run.id }, other.id).expect(403);
    expect((await api.get(`/api/issues/${issue.id}`)).body).toMatchObject({ status: 'todo' });
  });

  it('accepts the run id only in the header', async () => {
    const { api } = harness;
    const { run, issue } = await setUp();
    const { body } = await api
      .post(`/api/issues/${issue.id}/checkout`)
      .send({ agentId: run.agent.id, expectedStatuses: ['todo'], runId: run.id })
      .expect(400);
    expect(body.details).toMatchObject([{ path: ['runId'], message: 'unknown field' }]);
    const named = await checkout(issue.id, { runId: run.id }, run.agent.id).expect(200);
    expect(named.body.checkoutRunId).toBe(run.id);
  });

  it.each<[string, object, (string | number)[]]>([
    ['no agent', { agentId: undefined }, ['agentId']],
    ['a malformed agent', { agentId: 'x' }, ['agentId']],
    ['no expectedStatuses', { expectedStatuses: undefined }, ['expectedStatuses']],
    ['empty expectedStatuses', { expectedStatuses: [] }, ['expectedStatuses']],
    ['an unknown status', { expectedStatuses: ['todo', 'open'] }, ['expectedStatuses', 1]],
    ['a status instead of a list', { expectedStatuses: 'todo' }, ['expectedStatuses']],
    [
      'more statuses than exist',
      { expectedStatuses: Array(100).fill('todo') },
      ['expectedStatuses'],
    ],
  ])('rejects %s with 400', async (_what, wrong, path) => {
    const { run, issue } = await setUp();
    const { body } = await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: run.agent.id, expectedStatuses: ['todo'], ...wrong })
      .expect(400);
    expect(body.details[0].path).toEqual(path);
  });

  it('checks for 404 first, then for 403, 400 and 409', async () => {
    const { build } = harness;
    const { run, issue } = await setUp({ status: 'done' });
    const stranger = await build.liveRun();
    const bad = (id: string, authorization: string) =>
      harness.api
        .post(`/api/issues/${id}/checkout`)
        .set('Authorization', authorization)
        .send({ x: 1 });
    await bad(newId(), stranger.authorization).expect(404);
    await bad(issue.id, stranger.authorization).expect(403);
    await bad(issue.id, run.authorization).expect(400);
    await checkout(issue.id, run, run.agent.id, ['done']).expect(409);
  });

  it('returns 401 to a run that has ended', async () => {
    const { run, issue } = await setUp();
    await harness.build.endLiveRun(run.id);
    const { body } = await checkout(issue.id, run, run.agent.id).expect(401);
    expect(body.code).toBe('token_expired');
  });
});

describe('POST /api/issues/:issueId/release', () => {
  const harness = useHarness();

  const release = (issueId: string, authorization?: string) => {
    const request = harness.api.post(`/api/issues/${issueId}/release`);
    return authorization ? request.set('Authorization', authorization) : request;
  };

  async function claimed() {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const { body } = await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: run.agent.id, expectedStatuses: ['todo'] })
      .expect(200);
    return { run, issue: body as IssueView };
  }

  it('clears lock and assignee, and sets todo, if the owner releases the issue', async () => {
    const { run, issue } = await claimed();
    const { body } = await release(issue.id, run.authorization).expect(200);
    const free = { status: 'todo', assigneeAgentId: null, checkoutRunId: null, checkedOutAt: null };
    expect(body).toMatchObject({ ...free, started_at: issue.started_at });
    const activity = await harness.db.activity.findMany({
      where: { entityId: issue.id, action: 'issue.released' },
    });
    expect(activity).toMatchObject([{ runId: run.id, details: { from: run.agent.id } }]);
    const before = await everything(harness);
    expect((await release(issue.id, run.authorization).expect(200)).body).toEqual(body);
    expect(await everything(harness)).toEqual(before);
  });

  it('succeeds for the board, and for the owner without X-Service-Run-Id', async () => {
    const first = await claimed();
    expect((await release(first.issue.id).expect(200)).body.status).toBe('todo');
    const second = await claimed();
    const key = await harness.build.apiKey(second.run.agent.id);
    expect((await release(second.issue.id, key).expect(200)).body.status).toBe('todo');
  });

  it('succeeds for the assignee after the run that held the issue has ended', async () => {
    const { run, issue } = await claimed();
    await harness.build.endLiveRun(run.id);
    const next = await harness.build.liveRun(run.agent);
    expect((await release(issue.id, next.authorization).expect(200)).body.status).toBe('todo');
  });

  it('returns 409 to another agent and changes nothing', async () => {
    const { issue } = await claimed();
    const other = await harness.build.liveRun({ companyId: issue.companyId });
    const before = await everything(harness);
    const { body } = await release(issue.id, other.authorization).expect(409);
    expect(body).toMatchObject({
      code: 'not_owner',
      details: { issueId: issue.id, assigneeAgentId: issue.assigneeAgentId, retry: false },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it.each(['backlog', 'todo', 'in_review', 'blocked', 'done', 'cancelled'] as const)(
    'changes nothing for an issue that is not checked out (status %s)',
    async (status) => {
      const run = await harness.build.liveRun();
      const owner = await harness.build.agent({ companyId: run.agent.companyId });
      const issue = await harness.build.issue({
        companyId: run.agent.companyId,
        status,
        assigneeAgentId: owner.id,
      });
      const before = await everything(harness);
      expect((await release(issue.id, run.authorization).expect(200)).body).toEqual(issue);
      expect(await everything(harness)).toEqual(before);
    },
  );
});
