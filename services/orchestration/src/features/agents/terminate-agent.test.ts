import { useHarness } from '../../../test/harness';

describe('terminating an agent', () => {
  const harness = useHarness();

  it('pauses its routines, which the board may give to another', async () => {
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
});
