import { newId } from '@switchyard/db';
import type { ApprovalView } from '@switchyard/types';
import { unique } from '../../../test/builders';
import { useHarness } from '../../../test/harness';

const DECISIONS = ['approve', 'reject', 'request-revision'] as const;

describe('approval routes', () => {
  const harness = useHarness();

  const ask = async (companyId: string, body: object = {}, authorization = '') => {
    const request = harness.api.post(`/api/companies/${companyId}/approvals`);
    if (authorization) request.set('Authorization', authorization);
    return request.send({ type: 'approve_ceo_strategy', payload: { plan: 'grow' }, ...body });
  };
  const decide = (id: string, verb: string, body: object = {}) =>
    harness.api.post(`/api/approvals/${id}/${verb}`).send(body);
  const actionsOf = async (companyId: string, id: string) =>
    (await harness.api.get(`/api/companies/${companyId}/activity`).query({ entityId: id })).body
      .map((row: { action: string }) => row.action)
      .reverse();

  it('create a pending approval with links to issues, and list it by status', async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const issue = await harness.build.issue({ companyId });
    const made = await ask(companyId, { issueIds: [issue.id, issue.id] }, run.authorization);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      companyId,
      type: 'approve_ceo_strategy',
      status: 'pending',
      payload: { plan: 'grow' },
      requestedByAgentId: run.agent.id,
      requestedByUserId: null,
      decidedAt: null,
    });
    const read = await harness.api.get(`/api/approvals/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    const list = (status: string) =>
      harness.api.get(`/api/companies/${companyId}/approvals`).query({ status });
    const { payload: _, ...summary } = made.body;
    const { id, identifier, title, status } = issue;
    const facts = {
      title: 'Strategy: grow',
      hire: null,
      requestedByName: run.agent.name,
      issueCount: 1,
      issues: [{ id, identifier, title, status }],
    };
    expect((await list('pending')).body).toEqual([{ ...summary, ...facts }]);
    expect((await list('approved')).body).toEqual([]);
    const issues = await harness.api.get(`/api/approvals/${made.body.id}/issues`);
    expect(issues.body).toMatchObject([{ id: issue.id, identifier: issue.identifier }]);
  });

  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('accept only one decision, and store its note: %s', async (verb, status) => {
    const company = await harness.build.company();
    const { body: made } = await ask(company.id);
    const decided = await decide(made.id, verb, { decisionNote: 'because' });
    expect(decided.status).toBe(200);
    expect(decided.body).toMatchObject({
      status,
      decisionNote: 'because',
      decidedByUserId: 'local-board',
      decidedAt: expect.any(String),
    });
    for (const again of DECISIONS) {
      const refused = await decide(made.id, again);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({ code: 'not_pending', details: { status } });
    }
    expect((await decide(made.id, 'resubmit')).status).toBe(409);
    expect(await actionsOf(company.id, made.id)).toEqual([
      'approval.created',
      `approval.${status}`,
    ]);
  });

  it('allow a revision request and a resubmission, and record every step', async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const { body: made } = await ask(companyId, {}, run.authorization);
    expect((await decide(made.id, 'resubmit')).status).toBe(409);
    const revised = await decide(made.id, 'request-revision', { decisionNote: 'smaller' });
    expect(revised.body).toMatchObject({ status: 'revision_requested', decidedAt: null });
    expect((await decide(made.id, 'approve')).body.code).toBe('not_pending');
    const stranger = await harness.build.liveRun({ companyId });
    const refused = await decide(made.id, 'resubmit').set('Authorization', stranger.authorization);
    expect(refused.body.code).toBe('not_own');
    const resubmitted = await decide(made.id, 'resubmit', { payload: { plan: 'smaller' } }).set(
      'Authorization',
      run.authorization,
    );
    expect(resubmitted.body).toMatchObject({ status: 'pending', payload: { plan: 'smaller' } });
    expect((await decide(made.id, 'approve')).status).toBe(200);
    expect(await actionsOf(companyId, made.id)).toEqual([
      'approval.created',
      'approval.revision_requested',
      'approval.resubmitted',
      'approval.approved',
    ]);
  });

  it('accept only one of twenty concurrent decisions, and wake the requester once', async () => {
    const run = await harness.build.liveRun();
    const { body: made } = await ask(run.agent.companyId, {}, run.authorization);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => decide(made.id, n % 2 ? 'approve' : 'reject')),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const wakeups = await harness.db.agentWakeup.findMany({ where: { agentId: run.agent.id } });
    expect(wakeups).toMatchObject([
      { source: 'approval', status: 'pending', payload: { approvalId: made.id } },
    ]);
    await harness.build.endLiveRun(run.id);
    await harness.drain();
    const runs = await harness.db.heartbeatRun.findMany({
      where: { agentId: run.agent.id, source: 'approval' },
    });
    expect(runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('accept and list comments', async () => {
    const run = await harness.build.liveRun();
    const { body: made } = await ask(run.agent.companyId);
    const path = `/api/approvals/${made.id}/comments`;
    const added = await harness.api
      .post(path)
      .set('Authorization', run.authorization)
      .send({ body: 'please' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ body: 'please', authorAgentId: run.agent.id });
    const { woken, ...comment } = added.body;
    expect(woken).toEqual([]);
    expect((await harness.api.get(path)).body).toEqual([comment]);
    expect((await harness.api.post(path).send({ body: ' ' })).status).toBe(400);
  });

  it('reject malformed input, unknown ids, ids of other companies and callers without the right', async () => {
    const run = await harness.build.liveRun();
    const foreign = await harness.build.liveRun();
    const { companyId } = run.agent;
    const { body: made } = await ask(companyId);
    const { body: elsewhere } = await ask(foreign.agent.companyId);
    for (const id of [newId(), 'nonsense']) {
      expect((await harness.api.get(`/api/approvals/${id}`)).status).toBe(404);
      for (const verb of DECISIONS) expect((await decide(id, verb)).status).toBe(404);
    }
    const crossed = await harness.api
      .get(`/api/approvals/${elsewhere.id}`)
      .set('Authorization', run.authorization);
    expect(crossed.body.code).toBe('cross_company');
    for (const verb of DECISIONS) {
      const refused = await decide(made.id, verb).set('Authorization', run.authorization);
      expect(refused.body.code).toBe('board_only');
    }
    expect((await ask(companyId, { type: 'other' })).body.details[0].path).toEqual(['type']);
    expect((await ask(companyId, { type: 'hire_agent' })).body.details[0].path).toEqual(['type']);
    expect((await ask(companyId, { extra: 1 })).body.details[0].path).toEqual(['extra']);
    const inOtherName = await ask(
      companyId,
      { requestedByAgentId: (await harness.build.agent({ companyId })).id },
      run.authorization,
    );
    expect(inOtherName.body.code).toBe('not_own');
    const foreignAgent = await ask(companyId, { requestedByAgentId: foreign.agent.id });
    expect(foreignAgent.body).toMatchObject({
      code: 'cross_company',
      details: { field: 'requestedByAgentId' },
    });
    const foreignIssue = await harness.build.issue({ companyId: foreign.agent.companyId });
    const linked = await ask(companyId, { issueIds: [foreignIssue.id] });
    expect(linked.body).toMatchObject({ code: 'cross_company', details: { field: 'issueIds' } });
    expect((await ask(companyId, { issueIds: [newId()] })).body.code).toBe('unknown_reference');
    const left = await harness.db.approval.findMany({ where: { companyId } });
    expect(left.map((row) => [row.id, row.status])).toEqual([[made.id, 'pending']]);
  });

  describe('hires', () => {
    const hire = async (companyId: string, body: object = {}, authorization = '') => {
      const request = harness.api.post(`/api/companies/${companyId}/agent-hires`);
      if (authorization) request.set('Authorization', authorization);
      return request.send({ name: unique('Draft'), role: 'researcher', ...body });
    };

    it('create a draft agent that cannot act until the hire is approved', async () => {
      const run = await harness.build.liveRun();
      const { companyId } = run.agent;
      const wanted = { reportsTo: run.agent.id, capabilities: 'reads', budgetMonthlyCents: 500 };
      const { status, body } = await hire(companyId, wanted, run.authorization);
      expect(status).toBe(201);
      const { agent, approval } = body as { agent: { id: string }; approval: ApprovalView };
      expect(agent).toMatchObject({ ...wanted, status: 'pending_approval', role: 'researcher' });
      expect(approval).toMatchObject({
        type: 'hire_agent',
        status: 'pending',
        requestedByAgentId: run.agent.id,
        payload: { agentId: agent.id, ...wanted },
      });
      const keys = await harness.api.post(`/api/agents/${agent.id}/keys`).send({});
      expect(keys.status).toBe(409);
      const invoked = await harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`);
      expect(invoked.body).toMatchObject({
        code: 'not_invokable',
        details: { reason: 'agent_pending_approval' },
      });
      expect((await decide(approval.id, 'approve')).status).toBe(200);
      const hired = await harness.api.get(`/api/agents/${agent.id}`);
      expect(hired.body).toMatchObject({ status: 'idle', wakeOnAssignment: true });
    });

    it('terminate the draft on rejection, and free the name of the draft', async () => {
      const company = await harness.build.company();
      const name = unique('Only');
      const { body } = await hire(company.id, { name });
      expect((await hire(company.id, { name: name.toUpperCase() })).body.code).toBe('name_taken');
      expect((await decide(body.approval.id, 'reject')).status).toBe(200);
      const rejected = await harness.api.get(`/api/agents/${body.agent.id}`);
      expect(rejected.body.status).toBe('terminated');
      expect((await hire(company.id, { name })).status).toBe(201);
    });

    it('update the draft on resubmission, and reject fields that agents may not set', async () => {
      const run = await harness.build.liveRun();
      const { body } = await hire(run.agent.companyId, {}, run.authorization);
      const { agent, approval } = body;
      await decide(approval.id, 'request-revision').expect(200);
      const resubmit = (payload: object) =>
        decide(approval.id, 'resubmit', { payload }).set('Authorization', run.authorization);
      expect((await resubmit({ salary: 1 })).body.details[0].path).toEqual(['salary']);
      expect((await resubmit({ adapterConfig: { command: 'sh' } })).body.code).toBe('board_only');
      const again = await resubmit({ name: `${agent.name} II`, role: 'manager' });
      expect(again.body).toMatchObject({ status: 'pending', payload: { agentId: agent.id } });
      const draft = await harness.api.get(`/api/agents/${agent.id}`);
      expect(draft.body).toMatchObject({
        name: `${agent.name} II`,
        role: 'manager',
        status: 'pending_approval',
      });
    });

    it('become rejected when the board terminates the draft', async () => {
      const company = await harness.build.company();
      const { body } = await hire(company.id);
      await harness.api.post(`/api/agents/${body.agent.id}/terminate`).expect(200);
      const refused = await decide(body.approval.id, 'approve').expect(409);
      expect(refused.body).toMatchObject({ code: 'not_pending', details: { status: 'rejected' } });
      const after = await harness.api.get(`/api/agents/${body.agent.id}`);
      expect(after.body.status).toBe('terminated');
    });

    it('create no draft if the request is invalid, and let only the board choose an adapter', async () => {
      const run = await harness.build.liveRun();
      const { companyId } = run.agent;
      const foreign = await harness.build.agent();
      const before = await harness.db.agent.count();
      const config = { adapterType: 'process', adapterConfig: { command: 'true' } };
      const byAgent = await hire(companyId, config, run.authorization);
      expect(byAgent.body).toMatchObject({ code: 'board_only', details: { field: 'adapterType' } });
      const crossed = await hire(companyId, { reportsTo: foreign.id });
      expect(crossed.body).toMatchObject({
        code: 'cross_company',
        details: { field: 'reportsTo' },
      });
      expect((await hire(companyId, { issueIds: [newId()] })).body.code).toBe('unknown_reference');
      expect((await hire(companyId, { name: '' })).body.details[0].path).toEqual(['name']);
      expect(await harness.db.agent.count()).toBe(before);
      const byBoard = await hire(companyId, {
        ...config,
        adapterConfig: { command: 'true', env: { TOKEN: 'canary-in-a-hire' } },
      });
      expect(byBoard.status).toBe(201);
      expect(JSON.stringify(byBoard.body)).not.toContain('canary-in-a-hire');
      const stored = await harness.db.approval.findUniqueOrThrow({
        where: { id: byBoard.body.approval.id },
      });
      expect(JSON.stringify(stored.payload)).not.toContain('canary-in-a-hire');
    });
  });
});
