import { newId } from '@switchyard/db';
import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { INBOX_KINDS, type InboxItemView } from '@switchyard/types';
import { type Harness, useHarness } from '../../../test/harness';
import { inboxOf, isRoute, take } from '../../../test/inbox-actions';

const COST = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
const FAILS: AdapterOutcome = {
  status: 'failed',
  exitCode: 1,
  errorCode: 'adapter_exit',
  error: 'boom',
  transient: false,
};

type Situation = (harness: Harness) => Promise<{ companyId: string; kind: string; id: string }>;

const spend = async (
  { api }: Harness,
  agent: { id: string; companyId: string },
  costCents: number,
) =>
  api
    .post(`/api/companies/${agent.companyId}/cost-events`)
    .send({ ...COST, agentId: agent.id, costCents })
    .expect(201);

const failing = async ({ scripted, build, drain }: Harness, times: number) => {
  const agent = await build.agent();
  scripted.on(agent.id, () => FAILS);
  for (let at = 0; at < times; at++) {
    await build.queuedRun(agent.id);
    await drain();
  }
  return agent;
};

const checkedOut = async ({ api, build }: Harness) => {
  const agent = await build.agent();
  const { companyId, id: agentId } = agent;
  const issue = await build.issue({ companyId, status: 'todo', assigneeAgentId: agentId });
  const claim = { agentId, expectedStatuses: ['todo'] };
  await api.post(`/api/issues/${issue.id}/checkout`).send(claim).expect(200);
  return { agent, issue, companyId };
};

const SITUATIONS: Record<string, Situation> = {
  'a pending approval': async ({ api, build }) => {
    const { id: companyId } = await build.company();
    const body = { type: 'approve_ceo_strategy', payload: { summary: 'Grow' } };
    const answer = await api.post(`/api/companies/${companyId}/approvals`).send(body).expect(201);
    return { companyId, kind: 'approval', id: answer.body.id };
  },
  'a pending hire': async ({ api, build }) => {
    const { id: companyId } = await build.company();
    const body = { name: 'Ada', role: 'engineer' };
    const answer = await api.post(`/api/companies/${companyId}/agent-hires`).send(body).expect(201);
    return { companyId, kind: 'approval', id: answer.body.approval.id };
  },
  'a question with options': async ({ api, build }) => {
    const { id: companyId } = await build.company();
    const options = [
      { key: 'a', label: 'A' },
      { key: 'b', label: 'B' },
    ];
    const payload = { title: 'Which?', options, recommended: 'b' };
    const body = { type: 'board_question', payload };
    const answer = await api.post(`/api/companies/${companyId}/approvals`).send(body).expect(201);
    return { companyId, kind: 'question', id: answer.body.id };
  },
  'a question without options': async ({ api, build }) => {
    const { companyId, id } = await build.issue({ status: 'blocked' });
    const body = { type: 'board_question', payload: { title: 'How?' }, issueIds: [id] };
    const answer = await api.post(`/api/companies/${companyId}/approvals`).send(body).expect(201);
    return { companyId, kind: 'question', id: answer.body.id };
  },
  'a comment that mentions the board': async ({ api, build }) => {
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const { id } = await build.issue({ companyId, status: 'todo' });
    await api
      .post(`/api/issues/${id}/comments`)
      .set('Authorization', run.authorization)
      .send({ body: '@board which colour?' })
      .expect(201);
    await build.endLiveRun(run.id);
    return { companyId, kind: 'mention', id };
  },
  'a mention of the board in an update that ends the issue': async ({ api, build }) => {
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const { id } = await build.issue({ companyId, status: 'in_review' });
    await api
      .patch(`/api/issues/${id}`)
      .set('Authorization', run.authorization)
      .send({ status: 'cancelled', comment: '@board it cannot be done' })
      .expect(200);
    await build.endLiveRun(run.id);
    return { companyId, kind: 'mention', id };
  },
  'an issue assigned to the person': async ({ api, build }) => {
    const { companyId, id } = await build.issue({ status: 'todo' });
    const assigneeUserId = 'local-board';
    await api.patch(`/api/issues/${id}`).send({ assigneeUserId }).expect(200);
    return { companyId, kind: 'own_issue', id };
  },
  'an agent that is paused after failures': async (harness) => {
    const { companyId, id } = await failing(harness, 5);
    return { companyId, kind: 'agent_stopped', id };
  },
  'a paused agent with assigned issues': async ({ api, build }) => {
    const { companyId, id } = await build.agent();
    await build.issue({ companyId, status: 'todo', assigneeAgentId: id });
    await api.post(`/api/agents/${id}/pause`).expect(200);
    return { companyId, kind: 'agent_paused', id };
  },
  'a paused company': async ({ api, build }) => {
    const { id } = await build.company();
    await api.patch(`/api/companies/${id}`).send({ status: 'paused' }).expect(200);
    return { companyId: id, kind: 'company_paused', id };
  },
  'an agent with a spent budget': async (harness) => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(harness, agent, 100);
    return { companyId: agent.companyId, kind: 'budget_spent', id: agent.id };
  },
  'a company with a spent budget': async (harness) => {
    const { id } = await harness.build.company({ budgetMonthlyCents: 100 });
    await spend(harness, await harness.build.agent({ companyId: id }), 130);
    return { companyId: id, kind: 'budget_spent', id };
  },
  'an agent near its budget': async (harness) => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(harness, agent, 80);
    return { companyId: agent.companyId, kind: 'budget_near', id: agent.id };
  },
  'a company near its budget': async (harness) => {
    const { id } = await harness.build.company({ budgetMonthlyCents: 1_000 });
    await spend(harness, await harness.build.agent({ companyId: id }), 999);
    return { companyId: id, kind: 'budget_near', id };
  },
  'a blocked issue': async ({ build }) => {
    const { companyId, id } = await build.issue({ status: 'blocked' });
    return { companyId, kind: 'blocked_issue', id };
  },
  'a failed run for an issue': async ({ scripted, build, drain }) => {
    const agent = await build.agent();
    const { companyId } = agent;
    const { id: issueId } = await build.issue({ companyId, status: 'backlog' });
    scripted.on(agent.id, () => FAILS);
    const { id } = await build.queuedRun(agent.id, { issueId });
    await drain();
    return { companyId, kind: 'failed_run', id };
  },
  'a failed run without an issue': async ({ scripted, build, drain }) => {
    const agent = await build.agent();
    scripted.on(agent.id, () => FAILS);
    const { id } = await build.queuedRun(agent.id);
    await drain();
    return { companyId: agent.companyId, kind: 'failed_run', id };
  },
  'an issue in progress without a run': async (harness) => {
    const { companyId, issue } = await checkedOut(harness);
    return { companyId, kind: 'stuck_issue', id: issue.id };
  },
  'an issue in progress without an assignee': async (harness) => {
    const { companyId, issue } = await checkedOut(harness);
    const path = `/api/issues/${issue.id}`;
    await harness.api.patch(path).send({ assigneeAgentId: null }).expect(200);
    return { companyId, kind: 'stuck_issue', id: issue.id };
  },
  'a stale issue of a busy agent': async (harness) => {
    const { companyId, issue, agent } = await checkedOut(harness);
    await harness.context.db.pool.query(
      `UPDATE issue SET updated_at = now() - interval '25 hours' WHERE id = $1`,
      [issue.id],
    );
    await harness.build.queuedRun(agent.id);
    return { companyId, kind: 'stale_issue', id: issue.id };
  },
  'an issue in review': async ({ build }) => {
    const { companyId, id } = await build.issue({ status: 'in_review' });
    return { companyId, kind: 'issue_review', id };
  },
  'an issue for which its agent will not be woken': async ({ build }) => {
    const { companyId, id } = await build.agent();
    await build.issue({ companyId, status: 'todo', assigneeAgentId: id });
    return { companyId, kind: 'agent_idle', id };
  },
  'a routine whose agent is terminated': async ({ api, build }) => {
    const { companyId, id, assigneeAgentId } = await build.routine();
    await api.post(`/api/agents/${assigneeAgentId}/terminate`).expect(200);
    return { companyId, kind: 'routine_stopped', id };
  },
  'a routine with an invalid schedule': async ({ build, db }) => {
    const { companyId, id } = await build.routine();
    const schedule = { kind: 'schedule', cronExpression: '0 9 * * *' } as const;
    const trigger = await build.trigger(id, schedule);
    const data = { nextRunAt: null, failureCount: 5, failureReason: 'unreadable' };
    await db.routineTrigger.update({ where: { id: trigger.id }, data });
    return { companyId, kind: 'routine_stopped', id };
  },
  'a routine whose trigger failed five times': async ({ build, db }) => {
    const { companyId, id } = await build.routine();
    const trigger = await build.trigger(id, { kind: 'webhook' });
    const data = { failureCount: 5, failureReason: 'no', lastFiredAt: new Date() };
    await db.routineTrigger.update({ where: { id: trigger.id }, data });
    return { companyId, kind: 'routine_failed', id };
  },
  'a routine whose latest run failed': async ({ build, db }) => {
    const { companyId, id } = await build.routine();
    const run = { id: newId(), companyId, routineId: id, source: 'manual' };
    await db.routineRun.create({
      data: { ...run, status: 'failed', failureReason: 'no', completedAt: new Date() },
    });
    return { companyId, kind: 'routine_failed', id };
  },
  'an agent whose check failed': async ({ build, db }) => {
    const { companyId, id } = await build.agent();
    const errors = [{ code: 'command_not_found', message: 'no such program' }];
    await db.agentLastCheck.create({ data: { companyId, agentId: id, errors } });
    return { companyId, kind: 'check_failed', id };
  },
  'a disabled endpoint': async ({ api, build, db }) => {
    const { id: companyId } = await build.company();
    const path = `/api/companies/${companyId}/endpoints`;
    const { body } = await api.post(path).send({ url: 'https://example.com/hook' }).expect(201);
    const data = { status: 'disabled', disabledReason: 'failing', failingSince: new Date() };
    await db.endpoint.update({ where: { id: body.id }, data });
    return { companyId, kind: 'endpoint_disabled', id: body.id };
  },
  'a missing secret': async ({ build, db }) => {
    const { id: companyId } = await build.company();
    const { id: secretId } = await build.secret({ companyId });
    const adapterConfig = { env: { TOKEN: { type: 'secret_ref', secretId } } };
    const { id } = await build.agent({ companyId, adapterConfig });
    await db.secretVersion.deleteMany({ where: { secretId } });
    await db.secret.delete({ where: { id: secretId } });
    return { companyId, kind: 'secret_missing', id };
  },
};

const CHANGES = ['assign', 'check', 'configure', 'start'];

describe('the inbox', () => {
  const harness = useHarness();

  it.each(Object.entries(SITUATIONS))(
    'contains %s until an action resolves it',
    async (_, make) => {
      const { api, build } = harness;
      const first = await make(harness);
      const itemId = `${first.kind}:${first.id}`;
      const [item, ...others] = await inboxOf(api, first.companyId);
      expect(others).toEqual([]);
      expect(item).toMatchObject({ id: itemId, kind: first.kind, snoozedUntil: null });
      const { kind, severity, title, reason, actions } = item as InboxItemView;
      expect(severity).toBe(INBOX_KINDS[kind]);
      expect(`${title} ${reason}`).not.toMatch(/undefined|null|NaN/);
      expect(actions.length).toBeGreaterThan(0);
      for (const { name } of actions) {
        const { companyId, id } = await make(harness);
        const fresh = (await inboxOf(api, companyId)).find((one) => one.id === `${kind}:${id}`);
        const action = fresh?.actions.find((one) => one.name === name);
        if (!action) throw new Error(`${kind} has no ${name}`);
        expect(isRoute(action)).toBe(true);
        const agent = (await build.agent({ companyId })).id;
        const cronExpression = '0 10 * * *';
        const answer = await take(api, action, {
          agent,
          cronExpression,
          json: {},
          text: 'So be it',
          choice: 'a',
        });
        const isTaken = answer.status >= 200 && answer.status < 300;
        expect({ name, isTaken, body: answer.body }).toMatchObject({ isTaken: true });
        if (name === 'run') await harness.drain();
        const after = await inboxOf(api, companyId);
        const left = after.find((one) => one.id === `${kind}:${id}`);
        if (!CHANGES.includes(name) || (name === 'configure' && kind === 'secret_missing')) {
          expect({ name, left }).toEqual({ name, left: undefined });
        }
      }
    },
  );
});
