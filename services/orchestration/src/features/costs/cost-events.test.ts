import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { systemCall } from '../../kernel/call';
import { recordUsage } from '../../state/costs/record-usage';

const COST = { provider: 'acme', model: 'large', inputTokens: 30, outputTokens: 4, costCents: 5 };

describe('POST /api/companies/{companyId}/cost-events', () => {
  const harness = useHarness();

  const post = (companyId: string, body: object, authorization?: string) => {
    const request = harness.api.post(`/api/companies/${companyId}/cost-events`).send(body);
    return authorization ? request.set('Authorization', authorization) : request;
  };
  const monthOf = async (agentId: string) => {
    const { rows } = await harness.context.db.pool.query(
      `SELECT cost_cents::int, input_tokens::int, output_tokens::int FROM agent_month WHERE agent_id = $1`,
      [agentId],
    );
    return rows;
  };
  const refusedWithoutAChange = async (request: () => ReturnType<typeof post>) => {
    const before = await everything(harness, ['last_used_at']);
    const answer = await request();
    expect(await everything(harness, ['last_used_at'])).toEqual(before);
    return { status: answer.status, code: answer.body.code, details: answer.body.details };
  };

  it('accepts a time with any UTC offset', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const occurredAt = '2026-01-02T23:00:00+23:59';
    const { body } = await post(companyId, { ...COST, agentId, occurredAt }).expect(201);
    expect(body.occurredAt).toBe('2026-01-01T23:01:00.000Z');
  });

  it('returns the event, adds its cost to the agent’s monthly spend, and records an activity', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const occurredAt = '2020-02-29T23:30:00+01:00';
    const { body } = await post(companyId, { ...COST, agentId, occurredAt }).expect(201);
    expect(body).toEqual({
      ...COST,
      id: expect.any(String),
      companyId,
      agentId,
      issueId: null,
      projectId: null,
      goalId: null,
      runId: null,
      unpriced: false,
      source: 'board',
      disputedCents: 0,
      occurredAt: '2020-02-29T22:30:00.000Z',
      createdAt: expect.any(String),
    });
    await post(companyId, { ...COST, agentId }).expect(201);
    expect(await monthOf(agentId)).toEqual([
      { cost_cents: 10, input_tokens: 60, output_tokens: 8 },
    ]);
    const activity = await harness.api.get(`/api/companies/${companyId}/activity`);
    expect(activity.body[1]).toMatchObject({
      action: 'cost_event.recorded',
      actorType: 'user',
      entityType: 'cost_event',
      entityId: body.id,
      details: { agentId, costCents: 5 },
    });
  });

  it('derives the project and goal from the issue, the issue from the run, and the run from the credential', async () => {
    const { build, db } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const goal = await build.goal({ companyId });
    const project = await build.project({ companyId });
    const other = await build.project({ companyId });
    const issue = await build.issue({ companyId, projectId: project.id, goalId: goal.id });
    await db.heartbeatRun.update({ where: { id: run.id }, data: { issueId: issue.id } });
    const derived = await post(companyId, { ...COST, agentId }, run.authorization).expect(201);
    const whole = { issueId: issue.id, projectId: project.id, goalId: goal.id, runId: run.id };
    expect(derived.body).toMatchObject(whole);
    const chosen = { ...COST, agentId, issueId: issue.id, projectId: other.id };
    expect((await post(companyId, chosen).expect(201)).body).toMatchObject({
      ...whole,
      projectId: other.id,
      runId: null,
    });
    await build.endLiveRun(run.id);
    const late = await post(companyId, { ...COST, agentId, runId: run.id }).expect(201);
    expect(late.body).toMatchObject(whole);
    const { body } = await harness.api.get(`/api/heartbeat-runs/${run.id}`);
    expect(body.usage).toEqual({
      inputTokens: 60,
      outputTokens: 8,
      costCents: 10,
      unpricedEvents: 0,
    });
  });

  it('stores the run that X-Service-Run-Id names, and rejects a report of one agent for another agent', async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const colleague = await build.agent({ companyId });
    const key = await build.apiKey(agentId);
    const named = post(companyId, { ...COST, agentId }, key).set('X-Service-Run-Id', run.id);
    expect((await named.expect(201)).body).toMatchObject({ runId: run.id });
    const cost = { ...COST, agentId: colleague.id };
    const refused = await refusedWithoutAChange(() => post(companyId, cost, run.authorization));
    expect(refused).toMatchObject({ status: 403, code: 'not_own' });
  });

  it('returns the existing event for a repeated `idempotencyKey`, and 409 if the body differs', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const cost = { ...COST, agentId, idempotencyKey: 'call-1', occurredAt: '2026-01-01T00:00:00Z' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(companyId, cost)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.find((answer) => answer.status === 200)?.headers).toMatchObject({
      'idempotency-replayed': 'true',
    });
    const same = { ...cost, occurredAt: '2026-01-01T01:00:00+01:00' };
    expect((await post(companyId, same)).status).toBe(200);
    const inTransaction = await post(companyId, cost).set('Idempotency-Key', 'another');
    expect([inTransaction.status, inTransaction.body.id]).toEqual([200, answers[0]?.body.id]);
    const colleague = await harness.build.agent({ companyId });
    await post(companyId, { ...COST, agentId: colleague.id }).expect(201);
    for (const change of [{ costCents: 6 }, { model: 'small' }, { agentId: colleague.id }]) {
      const refused = await refusedWithoutAChange(() => post(companyId, { ...cost, ...change }));
      expect(refused).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    }
    expect(await monthOf(agentId)).toEqual([expect.objectContaining({ cost_cents: 5 })]);
    const elsewhere = await harness.build.agent();
    await post(elsewhere.companyId, { ...cost, agentId: elsewhere.id }).expect(201);
  });

  it('records one event per `idempotencyKey`, even under different Idempotency-Key headers', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    await post(companyId, { ...COST, agentId }).expect(201);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        post(companyId, { ...COST, agentId, idempotencyKey: 'one' }).set(
          'Idempotency-Key',
          `key-${n % 3}`,
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect(await monthOf(agentId)).toEqual([expect.objectContaining({ cost_cents: 10 })]);
  });

  it('only accepts work of the run, or assigned to the agent, in the report of an agent', async () => {
    const { build, db } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const [own, held, woken, foreign] = [
      await build.project({ companyId }),
      await build.project({ companyId }),
      await build.project({ companyId }),
      await build.project({ companyId }),
    ];
    const of = await build.issue({ companyId, projectId: own.id });
    const assigned = await build.issue({
      ...{ companyId, projectId: held.id, status: 'backlog', assigneeAgentId: agentId },
    });
    const joined = await build.issue({ companyId, projectId: woken.id });
    const other = await build.issue({ companyId, projectId: foreign.id });
    const wakeReasons = [{ source: 'mention', issueId: joined.id }];
    await db.heartbeatRun.update({ where: { id: run.id }, data: { issueId: of.id, wakeReasons } });
    const report = (named: object) =>
      post(companyId, { ...COST, agentId, ...named }, run.authorization);
    for (const issue of [of, assigned, joined]) {
      await report({ issueId: issue.id }).expect(201);
      await report({ projectId: issue.projectId }).expect(201);
    }
    for (const named of [{ issueId: other.id }, { projectId: foreign.id }]) {
      const [field] = Object.keys(named);
      const refused = await refusedWithoutAChange(() => report(named));
      expect(refused).toMatchObject({ status: 403, code: 'not_own', details: { field } });
      await post(companyId, { ...COST, agentId, ...named }).expect(201);
    }
  });

  it('rejects unknown ids and ids of other companies, and the error names the field', async () => {
    const { build } = harness;
    const { id: agentId, companyId } = await build.agent();
    const colleague = await build.liveRun({ companyId });
    const foreign = await build.liveRun();
    const foreignIssue = await build.issue({ companyId: foreign.agent.companyId });
    const foreignProject = await build.project({ companyId: foreign.agent.companyId });
    const answers: [object, number, string][] = [
      [{ agentId: newId() }, 422, 'unknown_reference'],
      [{ agentId: foreign.agent.id }, 403, 'cross_company'],
      [{ issueId: newId() }, 422, 'unknown_reference'],
      [{ issueId: foreignIssue.id }, 403, 'cross_company'],
      [{ projectId: newId() }, 422, 'unknown_reference'],
      [{ projectId: foreignProject.id }, 403, 'cross_company'],
      [{ runId: newId() }, 422, 'unknown_reference'],
      [{ runId: foreign.id }, 403, 'cross_company'],
      [{ runId: colleague.id }, 422, 'semantic_error'],
    ];
    const refusedAll = async () => {
      for (const [change, status, code] of answers) {
        const [field] = Object.keys(change);
        const cost = { ...COST, agentId, ...change };
        const refused = await refusedWithoutAChange(() => post(companyId, cost));
        expect(refused).toMatchObject({ status, code, details: { field } });
      }
    };
    await refusedAll();
    await post(companyId, { ...COST, agentId }).expect(201);
    await refusedAll();
  });

  it.each<[string, object]>([
    ['agentId', { agentId: 'x' }],
    ['provider', { provider: ' ' }],
    ['model', { model: 'a\0' }],
    ['inputTokens', { inputTokens: -1 }],
    ['outputTokens', { outputTokens: 1.5 }],
    ['costCents', { costCents: null }],
    ['costCents', { costCents: 10 ** 13 }],
    ['occurredAt', { occurredAt: '0000-01-01T00:00:00Z' }],
    ['occurredAt', { occurredAt: '9999-12-31T23:59:59-14:00' }],
    ['occurredAt', { occurredAt: '2026-02-30T00:00:00Z' }],
    ['idempotencyKey', { idempotencyKey: '' }],
    ['cost', { cost: 1 }],
  ])('rejects an invalid %s with 400: %j', async (field, change) => {
    const { id: agentId, companyId } = await harness.build.agent();
    const { body } = await post(companyId, { ...COST, agentId, ...change }).expect(400);
    expect(body.details[0].path).toEqual([field]);
  });

  it('returns 404 for an unknown company, 403 for another company, and 409 for an archived company', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const cost = { ...COST, agentId };
    await post(newId(), cost).expect(404);
    await post('nonsense', cost).expect(404);
    const stranger = await harness.build.apiKey((await harness.build.agent()).id);
    const refused = await refusedWithoutAChange(() => post(companyId, cost, stranger));
    expect(refused).toMatchObject({ status: 403, code: 'cross_company' });
    await harness.api.post(`/api/companies/${companyId}/archive`).expect(200);
    const archived = await refusedWithoutAChange(() => post(companyId, cost));
    expect(archived).toMatchObject({ status: 409, code: 'company_archived' });
  });

  it('counts usage without a price separately from usage that costs nothing', async () => {
    const { api, build, scripted, db } = harness;
    const agent = await build.agent();
    scripted.on(agent.id, (run) => {
      const usage = { provider: 'p', model: 'm', inputTokens: 5, outputTokens: 7 };
      run.onUsage({ ...usage, costCents: null });
      run.onUsage({ ...usage, costCents: 0 });
      return { status: 'succeeded', exitCode: 0 };
    });
    const run = await build.queuedRun(agent.id);
    await harness.drain();
    const events = await db.costEvent.findMany({ where: { runId: run.id } });
    expect(events.map((event) => event.unpriced).sort()).toEqual([false, true]);
    const { body } = await api.get(`/api/heartbeat-runs/${run.id}`);
    expect(body.usage).toMatchObject({ inputTokens: 10, costCents: 0, unpricedEvents: 1 });
    const summary = await api.get(`/api/companies/${agent.companyId}/costs/summary`);
    expect(summary.body).toMatchObject({ spendCents: 0, unpricedEvents: 1 });
  });

  it('records no usage for an outdated claim of a run', async () => {
    const { build, context } = harness;
    const run = await build.liveRun();
    const usage = { provider: 'p', model: 'm', inputTokens: 5, outputTokens: 7, costCents: 1 };
    const claim = { agentId: run.agent.id, id: run.id };
    const system = systemCall(context, run.agent.companyId);
    expect(await recordUsage(system, { ...claim, epoch: 1 }, usage, 'agent')).toBe(true);
    const before = await everything(harness);
    expect(await recordUsage(system, { ...claim, epoch: 0 }, usage, 'agent')).toBe(false);
    await build.endLiveRun(run.id);
    const ended = await everything(harness);
    expect(ended).not.toEqual(before);
    expect(await recordUsage(system, { ...claim, epoch: 1 }, usage, 'agent')).toBe(false);
    expect(await everything(harness)).toEqual(ended);
  });
});
