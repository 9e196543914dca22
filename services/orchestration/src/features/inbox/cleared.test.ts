import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { useHarness } from '../../../test/harness';
import { inboxOf } from '../../../test/inbox-actions';

const SUCCEEDS: AdapterOutcome = { status: 'succeeded', exitCode: 0 };
const FAILS: AdapterOutcome = {
  status: 'failed',
  exitCode: 1,
  errorCode: 'adapter_exit',
  error: 'boom',
  transient: false,
};

describe('the inbox', () => {
  const harness = useHarness();

  const kindsOf = async (companyId: string) =>
    (await inboxOf(harness.api, companyId)).map(({ kind }) => kind).sort();
  const spend = ({ id, companyId }: { id: string; companyId: string }, costCents: number) =>
    harness.api
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, agentId: id, costCents })
      .expect(201);

  it('omits a failed run when a later run for the same issue starts', async () => {
    const { build, scripted, drain } = harness;
    const agent = await build.agent();
    const { id, companyId } = agent;
    const issues = [await build.issue({ companyId }), await build.issue({ companyId })];
    scripted.on(id, () => FAILS);
    for (const { id: issueId } of issues) {
      await build.queuedRun(id, { issueId });
      await drain();
    }
    expect(await kindsOf(companyId)).toEqual(['failed_run', 'failed_run']);
    scripted.on(id, () => SUCCEEDS);
    const first = await build.queuedRun(id, { issueId: issues[0]?.id });
    expect(await kindsOf(companyId)).toEqual(['failed_run']);
    const joined = await build.queuedRun(id, { issueId: issues[1]?.id });
    expect(joined.id).toBe(first.id);
    expect(await kindsOf(companyId)).toEqual([]);
    await drain();
    expect(await kindsOf(companyId)).toEqual([]);
  });

  it('omits a failed run while its transient failure is retried', async () => {
    const { build, scripted, drain } = harness;
    const { id, companyId } = await build.agent();
    scripted.on(id, () => ({ ...FAILS, transient: true, retryAfterMs: 3_600_000 }));
    await build.queuedRun(id);
    await drain();
    expect(await kindsOf(companyId)).toEqual([]);
  });

  it('shows a dismissed stuck issue again if another run ends without a change to the issue', async () => {
    const { api, build, drain } = harness;
    const agent = await build.agent();
    const { id: agentId, companyId } = agent;
    const { id } = await build.issue({ companyId, status: 'todo', assigneeAgentId: agentId });
    expect(await kindsOf(companyId)).toEqual(['agent_idle']);
    await api
      .post(`/api/issues/${id}/checkout`)
      .send({ agentId, expectedStatuses: ['todo'] })
      .expect(200);
    expect(await kindsOf(companyId)).toEqual(['stuck_issue']);
    await api.post(`/api/companies/${companyId}/inbox/stuck_issue:${id}/dismiss`).expect(200);
    expect(await kindsOf(companyId)).toEqual([]);
    await build.queuedRun(agentId, { issueId: id });
    await drain();
    expect(await kindsOf(companyId)).toEqual(['stuck_issue']);
  });

  it('omits a spent budget in the next month', async () => {
    const { build, context } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    const { id, companyId } = agent;
    await spend(agent, 100);
    await build.issue({ companyId, status: 'blocked', assigneeAgentId: id });
    expect(await kindsOf(companyId)).toEqual(['blocked_issue', 'budget_spent']);
    await context.db.pool.query(
      `UPDATE agent_month SET month = month - interval '1 month' WHERE agent_id = $1`,
      [id],
    );
    expect(await kindsOf(companyId)).toEqual(['blocked_issue']);
  });

  it('omits a failed check after a successful run', async () => {
    const { build, db, drain } = harness;
    const { id: agentId, companyId } = await build.agent();
    const errors = [{ code: 'command_not_found', message: 'no such program' }];
    await db.agentLastCheck.create({ data: { companyId, agentId, errors } });
    expect(await kindsOf(companyId)).toEqual(['check_failed']);
    await build.queuedRun(agentId);
    await drain();
    expect(await kindsOf(companyId)).toEqual([]);
  });

  it('adds the finding of a failed check to the item of a failed run or of a stopped agent', async () => {
    const { api, build, db, scripted, drain } = harness;
    const { id: agentId, companyId } = await build.agent();
    scripted.on(agentId, () => FAILS);
    await build.queuedRun(agentId, { issueId: (await build.issue({ companyId })).id });
    await drain();
    const errors = [{ code: 'command_not_found', message: 'no such program' }];
    await db.agentLastCheck.create({ data: { companyId, agentId, errors } });
    const [item, ...others] = await inboxOf(api, companyId);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      kind: 'failed_run',
      reason: 'boom. Last check: no such program',
    });
    expect(item?.actions.map(({ name }) => name)).toEqual([
      'retry',
      'configure',
      'complete',
      'cancel',
    ]);
    const stopped = { status: 'paused', pauseReason: 'failures', pausedAt: new Date() };
    await db.agent.update({ where: { id: agentId }, data: stopped });
    const [pause, ...rest] = await inboxOf(api, companyId);
    expect(rest).toEqual([]);
    expect(pause).toMatchObject({ kind: 'agent_stopped' });
    expect(pause?.reason).toMatch(/Last check: no such program$/);
    expect(pause?.actions.map(({ name }) => name)).toEqual(['resume', 'configure']);
  });

  it('omits a blocked issue while another open issue blocks it', async () => {
    const { api, build } = harness;
    const { companyId, id: blockerId } = await build.issue({ status: 'blocked' });
    await build.issue({ companyId, status: 'blocked', blockedBy: [blockerId] });
    const [item, ...others] = await inboxOf(api, companyId);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      id: `blocked_issue:${blockerId}`,
      blocks: { agents: 0, issues: 2 },
    });
    await api.post(`/api/issues/${blockerId}/complete`).send({}).expect(200);
    expect(await kindsOf(companyId)).toEqual(['blocked_issue']);
  });
});
