import { newId } from '@switchyard/db';
import { unique } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('PATCH /api/agents/:agentId', () => {
  const harness = useHarness();
  const patch = (id: string, body: object) => harness.api.patch(`/api/agents/${id}`).send(body);

  it('leaves absent fields unchanged, clears null fields and sets others', async () => {
    const manager = await harness.build.agent();
    const agent = await harness.build.agent({
      companyId: manager.companyId,
      title: 'Engineer',
      capabilities: 'code',
      reportsTo: manager.id,
    });
    const { body } = await patch(agent.id, { title: null, capabilities: '' }).expect(200);
    expect(body).toMatchObject({ title: null, capabilities: '', reportsTo: manager.id });
    const { body: next } = await patch(agent.id, { reportsTo: null, name: 'Lin' }).expect(200);
    expect(next).toMatchObject({ title: null, capabilities: '', reportsTo: null, name: 'Lin' });
    expect(next.chainOfCommand).toEqual([]);
  });

  it('changes nothing, not even the update time, if all values are equal', async () => {
    const agent = await harness.build.agent({ title: 'x', budgetMonthlyCents: 7 });
    const before = await everything(harness);
    await patch(agent.id, {}).expect(200);
    const { name, title, role, budgetMonthlyCents, adapterConfig, adapterType } = agent;
    const same = { name, title, role, budgetMonthlyCents, adapterConfig, adapterType };
    const { body } = await patch(agent.id, same).expect(200);
    expect(body).toEqual({ ...agent, warnings: [] });
    expect(await everything(harness)).toEqual(before);
  });

  it.each<[string, object, string]>([
    ['null as name', { name: null }, 'name'],
    ['a status', { status: 'running' }, 'status'],
    ['a company', { companyId: newId() }, 'companyId'],
    ['a pause reason', { pauseReason: null }, 'pauseReason'],
    ['an unknown adapter', { adapterType: 'nothing' }, 'adapterType'],
    ['a budget as text', { budgetMonthlyCents: '5' }, 'budgetMonthlyCents'],
  ])('rejects %s with 400', async (_what, body, field) => {
    const agent = await harness.build.agent();
    const before = await everything(harness);
    const answer = await patch(agent.id, body).expect(400);
    expect(answer.body.details[0].path).toEqual([field]);
    expect(await everything(harness)).toEqual(before);
  });

  it('validates the stored configuration against a new adapter type', async () => {
    const agent = await harness.build.agent();
    const { body } = await patch(agent.id, { adapterType: 'process' }).expect(400);
    expect(body.details[0].path).toEqual(['adapterConfig', 'command']);
  });

  it('lets an agent change only its own title and capabilities', async () => {
    const { agent, authorization } = await harness.build.liveRun();
    const own = await patch(agent.id, { title: 'Lead', capabilities: 'all' })
      .set('Authorization', authorization)
      .expect(200);
    expect(own.body).toMatchObject({ title: 'Lead', capabilities: 'all' });
    const revision = await harness.db.agentConfigRevision.findFirstOrThrow({
      where: { agentId: agent.id },
      orderBy: { revisionNumber: 'desc' },
    });
    expect(revision).toMatchObject({ createdByAgentId: agent.id, createdByUserId: null });
    const before = await everything(harness);
    for (const [field, value] of Object.entries({
      name: 'Boss',
      role: 'ceo',
      reportsTo: null,
      adapterType: 'scripted',
      adapterConfig: {},
      budgetMonthlyCents: 1,
      maxConcurrentRuns: 2,
      wakeOnAssignment: true,
    })) {
      const { body } = await patch(agent.id, { title: 'Sneaky', [field]: value })
        .set('Authorization', authorization)
        .expect(403);
      expect(body).toMatchObject({ code: 'board_only', details: { field } });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects with 409 a name that is in use, but accepts the agent’s own name in another letter case', async () => {
    const agent = await harness.build.agent();
    const other = await harness.build.agent({ companyId: agent.companyId });
    const { body } = await patch(agent.id, { name: other.name.toLowerCase() }).expect(409);
    expect(body).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    await patch(agent.id, { name: agent.name.toUpperCase() }).expect(200);
  });

  it('rejects a change to a terminated agent with 409', async () => {
    const agent = await harness.build.agent();
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    const { body } = await patch(agent.id, { title: 'x' }).expect(409);
    expect(body).toMatchObject({ code: 'agent_terminated', details: { retry: false } });
  });

  it('rejects a manager that is the agent itself, one of its reports, foreign, unknown or terminated', async () => {
    const { build, api } = harness;
    const top = await build.agent();
    const { companyId } = top;
    const middle = await build.agent({ companyId, reportsTo: top.id });
    const low = await build.agent({ companyId, reportsTo: middle.id });
    const gone = await build.agent({ companyId });
    await api.post(`/api/agents/${gone.id}/terminate`);
    const foreign = await build.agent();
    const before = await everything(harness);
    const cases: [string, number, string][] = [
      [top.id, 422, 'cycle'],
      [middle.id, 422, 'cycle'],
      [low.id, 422, 'cycle'],
      [newId(), 422, 'unknown_reference'],
      [gone.id, 422, 'semantic_error'],
      [foreign.id, 403, 'cross_company'],
    ];
    for (const [reportsTo, status, code] of cases) {
      const { body } = await patch(top.id, { reportsTo, title: 'x' }).expect(status);
      expect(body).toMatchObject({ code, details: { field: 'reportsTo' } });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('never creates a cycle when two agents become each other’s manager concurrently', async () => {
    const { id: companyId } = await harness.build.company();
    for (let round = 0; round < 15; round++) {
      const agents = await Promise.all([0, 1, 2].map(() => harness.build.agent({ companyId })));
      const answers = await Promise.all(
        agents.map((agent, at) => patch(agent.id, { reportsTo: agents[(at + 1) % 3]?.id })),
      );
      const refused = answers.filter((answer) => answer.status !== 200);
      expect(refused).toHaveLength(1);
      expect(refused[0]?.status).toBe(422);
      expect(refused[0]?.body.code).toBe('cycle');
    }
  });

  it('numbers the revisions of twenty concurrent changes without gaps', async () => {
    const agent = await harness.build.agent();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => patch(agent.id, { title: unique(`t${at}`) })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const revisions = await harness.db.agentConfigRevision.findMany({
      where: { agentId: agent.id },
      orderBy: { revisionNumber: 'asc' },
    });
    expect(revisions.map((row) => row.revisionNumber)).toEqual(
      Array.from({ length: 21 }, (_, at) => at + 1),
    );
    for (const [at, revision] of revisions.entries()) {
      if (at > 0) expect(revision.before).toEqual(revisions[at - 1]?.after);
    }
  });
});
