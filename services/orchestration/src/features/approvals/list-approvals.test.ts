import type { ListedApprovalView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('an approval in the list of approvals', () => {
  const harness = useHarness();
  const list = async (companyId: string) =>
    (await harness.api.get(`/api/companies/${companyId}/approvals`).expect(200))
      .body as ListedApprovalView[];

  it('contains the proposed hire with its budget and manager', async () => {
    const { api, build } = harness;
    const manager = await build.agent();
    const { companyId } = manager;
    const wanted = { name: 'Ada', role: 'engineer', title: 'Backend', budgetMonthlyCents: 40_000 };
    const { body } = await api
      .post(`/api/companies/${companyId}/agent-hires`)
      .send({ ...wanted, reportsTo: manager.id })
      .expect(201);
    expect(await list(companyId)).toMatchObject([
      {
        id: body.approval.id,
        title: 'Hire Ada as engineer',
        hire: {
          agentId: body.agent.id,
          ...wanted,
          adapterType: 'process',
          managerName: manager.name,
        },
        requestedByName: 'Local board',
        issueCount: 0,
        issues: [],
      },
    ]);
  });

  it.each([
    ['a plan', { plan: '\n\n# Grow\n\nin three steps' }, 'Strategy: Grow'],
    ['a plan and a title', { plan: 'later', title: 'Grow' }, 'Strategy: Grow'],
    ['no text', { title: { not: 'a text' }, steps: ['a', 'b'] }, 'Strategy'],
    ['a long plan', { plan: 'x'.repeat(100_000) }, `Strategy: ${'x'.repeat(200)}`],
    ['no fields', {}, 'Strategy'],
  ])(
    'has a title from the strategy’s title or from the first line of its plan: %s',
    async (_case, payload, title) => {
      const { api, build } = harness;
      const { id: companyId } = await build.company();
      const asked = { type: 'approve_ceo_strategy', payload };
      await api.post(`/api/companies/${companyId}/approvals`).send(asked).expect(201);
      expect(await list(companyId)).toMatchObject([{ title, hire: null }]);
    },
  );

  it('contains the title of a question and its answer', async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const { body } = await api
      .post(`/api/companies/${companyId}/approvals`)
      .set('Authorization', run.authorization)
      .send({ type: 'board_question', payload: { title: 'Which region?', body: 'Both are open.' } })
      .expect(201);
    const asked = { title: 'Which region?', requestedByName: run.agent.name, decision: null };
    expect(await list(companyId)).toMatchObject([asked]);
    await api.post(`/api/approvals/${body.id}/answer`).send({ note: 'Europe' }).expect(200);
    expect(await list(companyId)).toMatchObject([{ decision: { option: null, note: 'Europe' } }]);
  });

  it('contains the first five linked issues, and the total number of linked issues', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const issues = [];
    for (let at = 0; at < 7; at++) issues.push(await build.issue({ companyId }));
    const issueIds = issues.map(({ id }) => id);
    await api
      .post(`/api/companies/${companyId}/approvals`)
      .send({ type: 'approve_ceo_strategy', payload: {}, issueIds })
      .expect(201);
    const [row] = await list(companyId);
    expect(row?.issueCount).toBe(7);
    expect(row?.issues).toEqual(
      issues
        .slice(0, 5)
        .map(({ id, identifier, title, status }) => ({ id, identifier, title, status })),
    );
  });
});
