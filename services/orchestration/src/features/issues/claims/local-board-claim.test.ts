import { useHarness } from '../../../../test/harness';

describe('the board in local trusted mode', () => {
  const harness = useHarness();

  it('can check out and release an assigned issue, and get the issue back from an agent', async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const issue = await build.issue({ companyId, status: 'todo', assigneeUserId: 'me' });
    expect(issue).toMatchObject({ assigneeUserId: 'local-board', createdByUserId: 'local-board' });
    const claim = { expectedStatuses: ['todo'] };
    const claimed = await api.post(`/api/issues/${issue.id}/checkout`).send(claim).expect(200);
    expect(claimed.body).toMatchObject({
      status: 'in_progress',
      assigneeUserId: 'local-board',
      checkoutUserId: 'local-board',
    });
    const refused = await api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: run.agent.id, ...claim })
      .expect(409);
    expect(refused.body.error).toMatch(/^the board owns this issue/);
    await api.post(`/api/issues/${issue.id}/release`).expect(200);
    const back = await api
      .patch(`/api/issues/${issue.id}`)
      .set('Authorization', run.authorization)
      .send({ assigneeUserId: issue.createdByUserId })
      .expect(200);
    expect(back.body).toMatchObject({ status: 'todo', assigneeUserId: 'local-board' });
  });

  it('regains the lock of its issue when the issue returns from review', async () => {
    const { api, build } = harness;
    const issue = await build.issue({ status: 'in_review', assigneeUserId: 'me' });
    const back = await api
      .patch(`/api/issues/${issue.id}`)
      .send({ status: 'in_progress' })
      .expect(200);
    expect(back.body).toMatchObject({ checkoutUserId: 'local-board' });
  });
});
