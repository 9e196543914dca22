import { newId } from '@switchyard/db';
import type { ListedIssueView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('an issue in the list of issues', () => {
  const harness = useHarness();
  const rowOf = async ({ companyId, id }: { companyId: string; id: string }) => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/issues`).expect(200);
    return (body as ListedIssueView[]).find((row) => row.id === id) as ListedIssueView;
  };
  const runOn = async (issue: { companyId: string; id: string }, agentId: string, data: object) => {
    const { companyId, id: issueId } = issue;
    const of = { companyId, agentId, issueId, source: 'manual' };
    const run = await harness.db.heartbeatRun.create({ data: { id: newId(), ...of, ...data } });
    return run.id;
  };
  const RUNNING = { status: 'running', startedAt: new Date(), leaseExpiresAt: new Date() };
  const over = (finishedAt: Date) => ({ status: 'succeeded', startedAt: finishedAt, finishedAt });

  it('has the name of its assignee, an agent or a person', async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const issue = await build.issue({ companyId: agent.companyId, assigneeAgentId: agent.id });
    expect(await rowOf(issue)).toMatchObject({ assigneeName: agent.name });
    const mine = { assigneeAgentId: null, assigneeUserId: 'local-board' };
    await api.patch(`/api/issues/${issue.id}`).send(mine).expect(200);
    expect(await rowOf(issue)).toMatchObject({ assigneeName: 'Local board' });
  });

  it('has the first 200 characters of its description', async () => {
    const description = '😀'.repeat(100_000);
    const issue = await harness.build.issue({ description });
    expect((await rowOf(issue)).descriptionExcerpt).toBe('😀'.repeat(200));
  });

  it('shows as its live run a running run or else a waiting run, but never an ended run', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const issue = await build.issue({ companyId: agent.companyId });
    await runOn(issue, agent.id, over(new Date()));
    expect((await rowOf(issue)).liveRun).toBeNull();
    const waiting = await runOn(issue, agent.id, { status: 'queued' });
    expect((await rowOf(issue)).liveRun).toEqual({
      id: waiting,
      status: 'queued',
      agentId: agent.id,
      startedAt: null,
    });
    const running = await runOn(issue, agent.id, RUNNING);
    expect((await rowOf(issue)).liveRun).toMatchObject({ id: running, status: 'running' });
    await db.heartbeatRun.update({ where: { id: running }, data: over(new Date()) });
    expect((await rowOf(issue)).liveRun).toMatchObject({ id: waiting });
  });

  it('shows as its live run the run that checked out the issue, even if another issue started that run', async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const issue = await build.issue({ companyId, status: 'todo' });
    await api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId, expectedStatuses: ['todo'] })
      .expect(200);
    await runOn(issue, (await build.agent({ companyId })).id, RUNNING);
    expect((await rowOf(issue)).liveRun).toMatchObject({ id: run.id, agentId });
  });

  it('has the time of its latest change, comment, document or run', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const issue = await build.issue({ companyId: agent.companyId });
    const at = async () => (await rowOf(issue)).lastActivityAt;
    expect(await at()).toBe(issue.updatedAt);
    const path = `/api/issues/${issue.id}`;
    const { body: comment } = await api.post(`${path}/comments`).send({ body: 'x' }).expect(201);
    expect(await at()).toBe(comment.createdAt);
    const document = await api.put(`${path}/documents/plan`).send({ body: 'x' }).expect(201);
    expect(await at()).toBe(document.body.updatedAt);
    const later = new Date(Date.parse(document.body.updatedAt) + 60_000);
    await runOn(issue, agent.id, over(later));
    expect(await at()).toBe(later.toISOString());
  });
});
