import { until } from '@switchyard/testing';
import type { ApprovalView, CompanyView, IssueDetailView } from '@switchyard/types';
import { useAuthenticatedHarness } from './authenticated-harness';
import { useHarness } from './harness';
import { startHostProcesses, type WorkerProcess } from './worker-process';

describe('the demo company', () => {
  const harness = useHarness();
  let worker: WorkerProcess | undefined;

  afterEach(async () => {
    worker?.signal('SIGKILL');
    await worker?.ended;
  });

  it('finishes one of its issues automatically, and the other issue after the board’s answer', async () => {
    worker = await startHostProcesses({ ...harness.config, processAdapterCommands: [] });
    const { body } = await harness.api.post('/api/demo-companies').send({}).expect(201);
    const company = body as CompanyView;
    const issues = () =>
      harness.db.issue.findMany({
        where: { companyId: company.id },
        orderBy: { issueNumber: 'asc' },
      });
    const pending = `/api/companies/${company.id}/approvals?status=pending`;
    const question = await until(
      'the question to the board',
      async () => ((await harness.api.get(pending)).body as ApprovalView[])[0],
    );
    const choice = { option: 'vienna' };
    await harness.api.post(`/api/approvals/${question.id}/answer`).send(choice).expect(200);
    const hasEnded = async () => {
      const [first, second] = await issues();
      return first?.status === 'done' && second?.status === 'done';
    };
    await until('both issues to be done', hasEnded);
    const { body: written } = await harness.api.get(`/api/issues/${(await issues())[1]?.id}`);
    expect((written as IssueDetailView).documentSummaries).toMatchObject([{ key: 'summary' }]);
    const allEnded = async () =>
      (await harness.db.heartbeatRun.count({
        where: { companyId: company.id, status: { in: ['queued', 'running'] } },
      })) === 0;
    await until('its runs to end', allEnded);
    const runs = await harness.db.heartbeatRun.findMany({ where: { companyId: company.id } });
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const spent = await harness.api.get(`/api/companies/${company.id}`).expect(200);
    expect((spent.body as CompanyView).spentMonthlyCents).toBe(21);
  });

  it('cannot be created by a request with fields in its body', async () => {
    const refused = await harness.api.post('/api/demo-companies').send({ name: 'x' }).expect(400);
    expect(refused.body.error).toContain('name');
    expect(await harness.db.company.count({ where: { name: 'Demo company' } })).toBe(1);
  });
});

describe('the demo company in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  it('can be created only by administrators, who become its members', async () => {
    const company = await harness.build.company();
    const owner = harness.as(await harness.operator(company.id, 'owner'));
    const refused = await owner.post('/api/demo-companies').send({}).expect(403);
    expect(refused.body.code).toBe('administrators_only');
    const administrator = harness.as(await harness.administrator());
    const { body } = await administrator.post('/api/demo-companies').send({}).expect(201);
    await administrator.get(`/api/companies/${(body as CompanyView).id}`).expect(200);
    await owner.get(`/api/companies/${(body as CompanyView).id}`).expect(403);
  });
});
