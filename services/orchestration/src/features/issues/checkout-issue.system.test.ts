import { useHarness } from '../../../test/harness';

describe('checkout', () => {
  const harness = useHarness();

  it('succeeds for exactly one of fifty concurrent agents, in forty rounds', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const runs = await Promise.all(
      Array.from({ length: 50 }, () => build.liveRun({ companyId: company.id })),
    );
    for (let round = 0; round < 40; round++) {
      const issue = await build.issue({ companyId: company.id, status: 'todo' });
      const answers = await Promise.all(
        runs.map((run) =>
          api
            .post(`/api/issues/${issue.id}/checkout`)
            .set('Authorization', run.authorization)
            .send({ agentId: run.agent.id, expectedStatuses: ['todo'] }),
        ),
      );
      const won = answers.filter((answer) => answer.status === 200);
      expect(won).toHaveLength(1);
      const lost = answers.filter((answer) => answer.status === 409);
      expect(lost).toHaveLength(49);
      for (const answer of lost) {
        expect(answer.body).toMatchObject({
          code: 'checked_out',
          details: {
            issueId: issue.id,
            status: 'in_progress',
            assigneeAgentId: won[0]?.body.assigneeAgentId,
            checkoutRunId: won[0]?.body.checkoutRunId,
            holderRunStatus: 'running',
            reason: 'owned_by_other_agent',
            retry: false,
          },
        });
      }
    }
  });
});
