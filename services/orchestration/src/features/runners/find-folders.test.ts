import { newId } from '@switchyard/db';
import { useHarness } from '../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';

describe('POST /api/runner/folders', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const ask = async (body: object, client = runnerClient(harness)) =>
    (await client.post('folders', body).expect(200)).body.over;

  it('returns the ids of runs past their retention and of terminated agents without live runs', async () => {
    const { build, db, config } = harness;
    const agent = await build.agent();
    const [old, young] = [await build.liveRun(agent), await build.liveRun(agent)];
    const days = config.retention.runDays + 1;
    const finishedAt = new Date(Date.now() - days * 86_400_000);
    await db.heartbeatRun.update({ where: { id: old.id }, data: { status: 'failed', finishedAt } });
    const runIds = [old.id, young.id, newId()];
    const agentIds = [agent.id, newId()];
    expect(await ask({ runIds, agentIds })).toEqual([old.id]);
    const data = { status: 'cancelled', finishedAt: new Date() } as const;
    await db.heartbeatRun.update({ where: { id: young.id }, data });
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    expect(await ask({ runIds, agentIds })).toEqual([old.id, agent.id]);

    const { id: otherId } = await build.company();
    const made = await harness.api
      .post(`/api/companies/${otherId}/runners`)
      .send({ name: 'other', labels: ['x'] })
      .expect(201);
    const foreign = runnerClient(harness, { token: made.body.token });
    expect(await ask({ runIds, agentIds }, foreign)).toEqual([]);
  });

  it.each([
    [{ runIds: ['x'], agentIds: [] }, ['runIds', 0]],
    [{ runIds: [], agentIds: Array.from({ length: 1_001 }, () => newId()) }, ['agentIds']],
    [{ runIds: [] }, ['agentIds']],
  ])('rejects an invalid body with an error that names the field', async (body, path) => {
    const refused = await runnerClient(harness).post('folders', body).expect(400);
    expect(refused.body.details[0].path).toEqual(path);
  });
});
