import { useHarness } from '../../../test/harness';
import { rehint } from '../../state/rehint';

describe('terminating an agent', () => {
  const harness = useHarness();

  it('pauses the agent’s routines, which the board can then assign to another agent', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const project = await api.post(`/api/companies/${companyId}/projects`).send({ name: 'P' });
    const routine = await api
      .post(`/api/companies/${companyId}/routines`)
      .send({ title: 'Daily', assigneeAgentId: agent.id, projectId: project.body.id });
    await api
      .post(`/api/routines/${routine.body.id}/triggers`)
      .send({ kind: 'schedule', cronExpression: '* * * * *' })
      .expect(201);
    await api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    const paused = await api.get(`/api/routines/${routine.body.id}`);
    expect(paused.body).toMatchObject({ status: 'paused', triggers: [{ nextRunAt: null }] });
    const heir = await build.agent({ companyId });
    const given = await api
      .patch(`/api/routines/${routine.body.id}`)
      .send({ assigneeAgentId: heir.id, status: 'active' });
    expect(given.body).toMatchObject({ status: 'active', assigneeAgentId: heir.id });
    expect(await db.routineTrigger.count({ where: { nextRunAt: null } })).toBe(0);
  });

  it.each([
    ['pending', null],
    ['revision_requested', 'request-revision'],
  ])('rejects the %s hire of the agent once, and wakes its requester once', async (_, verb) => {
    const { api, build, db, drain } = harness;
    const requester = await build.liveRun();
    const { companyId } = requester.agent;
    const at = `/api/companies/${companyId}`;
    const { body: hire } = await api
      .post(`${at}/agent-hires`)
      .set('Authorization', requester.authorization)
      .send({ name: 'Draft', role: 'engineer' })
      .expect(201);
    const path = `/api/approvals/${hire.approval.id}`;
    if (verb) await api.post(`${path}/${verb}`).expect(200);
    await db.agentWakeup.deleteMany({ where: { agentId: requester.agent.id } });
    for (let twice = 0; twice < 2; twice++) {
      await api.post(`/api/agents/${hire.agent.id}/terminate`).expect(200);
    }
    const { body: decided } = await api.get(path).expect(200);
    expect(decided).toMatchObject({
      status: 'rejected',
      decisionNote: 'the agent was terminated',
      decidedByUserId: 'local-board',
      decidedAt: expect.any(String),
    });
    for (const decision of ['approve', 'reject', 'resubmit']) {
      await api.post(`${path}/${decision}`).expect(409);
    }
    const { body: agent } = await api.get(`/api/agents/${hire.agent.id}`).expect(200);
    expect(agent.status).toBe('terminated');
    const { body: records } = await api
      .get(`${at}/activity?action=approval.rejected&entityId=${hire.approval.id}`)
      .expect(200);
    expect(records).toMatchObject([{ details: { reason: 'agent_terminated' } }]);
    await build.endLiveRun(requester.id);
    await rehint(harness.context, 'mention-wakeups');
    await drain();
    const { body: runs } = await api
      .get(`${at}/heartbeat-runs?agentId=${requester.agent.id}`)
      .expect(200);
    const woken = runs.filter((run: { source: string }) => run.source === 'approval');
    expect(woken).toHaveLength(1);
  });

  it('does not change a hire approval that was already decided', async () => {
    const { api, build } = harness;
    const company = await build.company();
    const { body: hire } = await api
      .post(`/api/companies/${company.id}/agent-hires`)
      .send({ name: 'Hired', role: 'engineer' })
      .expect(201);
    const path = `/api/approvals/${hire.approval.id}`;
    await api.post(`${path}/approve`).expect(200);
    const before = await api.get(path).expect(200);
    await api.post(`/api/agents/${hire.agent.id}/terminate`).expect(200);
    expect((await api.get(path).expect(200)).body).toEqual(before.body);
  });
});
