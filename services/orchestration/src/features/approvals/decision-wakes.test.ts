import type { ApprovalView, HeartbeatRunDetailView } from '@switchyard/types';
import { type Harness, useHarness } from '../../../test/harness';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

const PLAN: object = { type: 'approve_ceo_strategy', payload: { plan: 'grow' } };
const NOTE = { decisionNote: 'slowly' };
const QUESTION = {
  type: 'board_question',
  payload: { title: 'Which colour?', options: [{ key: 'red', label: 'Red' }] },
};

describe('the wake after a decision', () => {
  const harness = useHarness();

  const decided = async (issues: number, verb: string, asking = PLAN, decision: object = NOTE) => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const issueIds: string[] = [];
    for (let n = 0; n < issues; n++) issueIds.push((await harness.build.issue({ companyId })).id);
    const asked = await harness.api
      .post(`/api/companies/${companyId}/approvals`)
      .set('Authorization', run.authorization)
      .send({ ...asking, issueIds })
      .expect(201);
    const approval = asked.body as ApprovalView;
    await harness.api.post(`/api/approvals/${approval.id}/${verb}`).send(decision).expect(200);
    await harness.build.endLiveRun(run.id);
    const told = await receive(run.agent.id, harness);
    return { approval, issueIds, ...told };
  };

  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
    ['request-revision', 'revision_requested'],
  ])('names the linked issue if the approval links exactly one issue: %s', async (verb, status) => {
    const { approval, issueIds, environment, run } = await decided(1, verb);
    expect(environment).toMatchObject({
      SERVICE_ISSUE_ID: issueIds[0],
      SERVICE_WAKE_REASON: `approval_${status}`,
    });
    expect(run.issueId).toBe(issueIds[0]);
    expect(run.wakes).toMatchObject([
      {
        source: 'approval',
        issueId: issueIds[0],
        identifier: expect.any(String),
        approvalId: approval.id,
        payload: { approvalId: approval.id, decision: status, decisionNote: 'slowly' },
      },
    ]);
  });

  it('includes the answer to a question', async () => {
    const answer = { option: 'red', note: 'a dark one' };
    const { issueIds, environment, run } = await decided(1, 'answer', QUESTION, answer);
    expect(environment.SERVICE_WAKE_REASON).toBe('question_answered');
    expect(JSON.parse(environment.SERVICE_WAKES as string)).toEqual(run.wakes);
    expect(run.wakes).toMatchObject([{ issueId: issueIds[0], payload: answer }]);
  });

  it.each([0, 2])('names no issue if the approval links %i issues', async (issues) => {
    const { approval, environment, run } = await decided(issues, 'approve');
    expect(environment).not.toHaveProperty('SERVICE_ISSUE_ID');
    expect(run.wakes).toMatchObject([{ issueId: null, approvalId: approval.id }]);
  });
});

describe('a comment on an approval', () => {
  const harness = useHarness();

  const asking = async () => {
    const run = await harness.build.liveRun();
    const { id: issueId } = await harness.build.issue({ companyId: run.agent.companyId });
    const { body } = await harness.api
      .post(`/api/companies/${run.agent.companyId}/approvals`)
      .set('Authorization', run.authorization)
      .send({ ...PLAN, issueIds: [issueId] })
      .expect(201);
    return { run, issueId, approval: body as ApprovalView };
  };
  const comment = (id: string, body: object) =>
    harness.api.post(`/api/approvals/${id}/comments`).send(body);

  it('wakes the requesting agent if a person writes the comment', async () => {
    const { run, issueId, approval } = await asking();
    const { body } = await comment(approval.id, { body: 'By when?' }).expect(201);
    const agentId = run.agent.id;
    expect(body.woken).toEqual([
      {
        ...{ agentId, outcome: 'queued', reason: null },
        ...{ heartbeatRunId: null, wakeupId: expect.any(String) },
      },
    ]);
    await harness.build.endLiveRun(run.id);
    const told = await receive(agentId, harness);
    expect(told.environment.SERVICE_WAKE_REASON).toBe('approval_commented');
    expect(told.run.wakes).toMatchObject([
      {
        source: 'approval',
        issueId,
        approvalId: approval.id,
        payload: { approvalId: approval.id, type: 'approve_ceo_strategy', commentId: body.id },
      },
    ]);
  });

  it('wakes no agent if wake is false, if the board requested the approval, or if an agent writes the comment', async () => {
    const { run, approval } = await asking();
    const { companyId } = run.agent;
    const colleague = await harness.build.liveRun({ companyId });
    const silent = await comment(approval.id, { body: 'Fine', wake: false }).expect(201);
    const own = await harness.api
      .post(`/api/companies/${companyId}/approvals`)
      .send(PLAN)
      .expect(201);
    const onOwn = await comment(own.body.id, { body: 'x' }).expect(201);
    const byAgent = await comment(approval.id, { body: 'x' })
      .set('Authorization', colleague.authorization)
      .expect(201);
    for (const { body } of [silent, onOwn, byAgent]) expect(body.woken).toEqual([]);
    expect(await harness.db.agentWakeup.count({ where: { companyId } })).toBe(0);
    const refused = await comment(approval.id, { body: 'x', wake: true })
      .set('Authorization', colleague.authorization)
      .expect(400);
    expect(refused.body.details[0].path).toEqual(['wake']);
  });

  it('wakes the agent after a decision only if wake is true, and returns the reason for a skipped wake', async () => {
    const { run, approval } = await asking();
    await harness.api.post(`/api/approvals/${approval.id}/reject`).send({}).expect(200);
    expect((await comment(approval.id, { body: 'Thanks' }).expect(201)).body.woken).toEqual([]);
    await harness.api.post(`/api/agents/${run.agent.id}/pause`).expect(200);
    const { body } = await comment(approval.id, { body: 'Again', wake: true }).expect(201);
    const skipped = { agentId: run.agent.id, outcome: 'skipped', reason: 'the agent is paused' };
    expect(body.woken).toEqual([{ ...skipped, ...NO_WAKE }]);
  });
});

async function receive(agentId: string, harness: Harness) {
  let environment: Readonly<Record<string, string>> = {};
  harness.scripted.on(agentId, (run) => {
    environment = run.environment;
    return { status: 'succeeded', exitCode: 0 };
  });
  await harness.drain();
  const { SERVICE_RUN_ID: id } = environment;
  const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
  return { environment, run: body as HeartbeatRunDetailView };
}
