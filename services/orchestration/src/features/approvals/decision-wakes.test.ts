import type { ApprovalView, HeartbeatRunDetailView } from '@switchyard/types';
import { type Harness, useHarness } from '../../../test/harness';

const PLAN: object = { type: 'approve_ceo_strategy', payload: { plan: 'grow' } };
const NOTE = { decisionNote: 'slowly' };
const QUESTION = {
  type: 'board_question',
  payload: { title: 'Which colour?', options: [{ key: 'red', label: 'Red' }] },
};

describe('the wake of a decision', () => {
  const harness = useHarness();

  /** What the agent is told that asked with these issues, and was busy meanwhile. */
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
  ])('names the one issue of the approval: %s', async (verb, status) => {
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

  it('brings the answer to a question along', async () => {
    const answer = { option: 'red', note: 'a dark one' };
    const { issueIds, environment, run } = await decided(1, 'answer', QUESTION, answer);
    expect(environment.SERVICE_WAKE_REASON).toBe('question_answered');
    expect(JSON.parse(environment.SERVICE_WAKES as string)).toEqual(run.wakes);
    expect(run.wakes).toMatchObject([{ issueId: issueIds[0], payload: answer }]);
  });

  it.each([0, 2])('names none of %i', async (issues) => {
    const { approval, environment, run } = await decided(issues, 'approve');
    expect(environment).not.toHaveProperty('SERVICE_ISSUE_ID');
    expect(run.wakes).toMatchObject([{ issueId: null, approvalId: approval.id }]);
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
