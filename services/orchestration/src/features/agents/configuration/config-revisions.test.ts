import { newId } from '@switchyard/db';
import type { AgentDetailView, ConfigRevisionView } from '@switchyard/types';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

const CANARY = 'canary-7f3a';

describe('config revision routes', () => {
  const harness = useHarness();
  const list = async (agentId: string, query = '') => {
    const { body } = await harness.api
      .get(`/api/agents/${agentId}/config-revisions${query}`)
      .expect(200);
    return body as ConfigRevisionView[];
  };
  const patch = async (agentId: string, body: object) =>
    (await harness.api.patch(`/api/agents/${agentId}`).send(body).expect(200))
      .body as AgentDetailView;
  const rollback = (agentId: string, revisionId: string) =>
    harness.api.post(`/api/agents/${agentId}/config-revisions/${revisionId}/rollback`);

  it('list each change of the configuration, newest first', async () => {
    const agent = await harness.build.agent({ title: 'a' });
    await patch(agent.id, { title: 'b', budgetMonthlyCents: 100 });
    await harness.api.post(`/api/agents/${agent.id}/pause`).expect(200);
    const revisions = await list(agent.id);
    expect(revisions).toHaveLength(2);
    expect(revisions[0]).toEqual({
      id: expect.any(String),
      agentId: agent.id,
      revisionNumber: 2,
      changedKeys: ['title', 'budgetMonthlyCents'],
      before: expect.objectContaining({ title: 'a', budgetMonthlyCents: 0 }),
      after: {
        name: agent.name,
        role: 'engineer',
        title: 'b',
        capabilities: null,
        reportsTo: null,
        adapterType: 'scripted',
        adapterConfig: {},
        budgetMonthlyCents: 100,
        maxConcurrentRuns: 1,
        wakeOnAssignment: false,
        limitKeys: [],
      },
      source: 'patch',
      rolledBackFromRevisionId: null,
      createdByAgentId: null,
      createdByUserId: 'local-board',
      createdAt: expect.any(String),
    });
    expect(revisions[1]).toMatchObject({ revisionNumber: 1, source: 'create', before: null });
  });

  it('return pages without gaps or duplicates while revisions are added', async () => {
    const agent = await harness.build.agent();
    for (let at = 0; at < 6; at++) await patch(agent.id, { title: `t${at}` });
    const path = `/api/agents/${agent.id}/config-revisions`;
    const seen = await walkPages<ConfigRevisionView>(harness, path, 2, (count) =>
      patch(agent.id, { title: `added ${count}` }),
    );
    expect(seen.map((row) => row.revisionNumber)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'cursor=x', 'page=2']) {
      await harness.api.get(`/api/agents/${agent.id}/config-revisions?${query}`).expect(400);
    }
  });

  it('restore the state that a revision produced, and add a new revision', async () => {
    const { build, db } = harness;
    const manager = await build.agent();
    const agent = await build.agent({
      companyId: manager.companyId,
      reportsTo: manager.id,
      title: 'first',
      adapterType: 'process',
      adapterConfig: { command: 'true', env: { TOKEN: CANARY } },
    });
    const changed = {
      name: `${agent.name} II`,
      title: null,
      reportsTo: null,
      adapterType: 'scripted',
      adapterConfig: { env: { TOKEN: 'other' } },
      maxConcurrentRuns: 4,
    };
    await patch(agent.id, changed);
    const [second, first] = await list(agent.id);
    const { body } = await rollback(agent.id, first?.id as string).expect(200);
    const { updatedAt: _, ...same } = agent;
    expect(body).toMatchObject(same);
    const stored = await db.agent.findUniqueOrThrow({ where: { id: agent.id } });
    expect(stored.adapterConfig).toEqual({ command: 'true', env: { TOKEN: CANARY } });
    const [third] = await list(agent.id);
    expect(third).toMatchObject({
      revisionNumber: 3,
      source: 'rollback',
      rolledBackFromRevisionId: first?.id,
      before: second?.after,
      after: first?.after,
    });
    const activity = await db.activity.findFirstOrThrow({
      where: { entityId: agent.id, action: 'agent.rolled_back' },
    });
    expect(activity.details).toMatchObject({ revisionId: first?.id, revisionNumber: 1 });
  });

  it('change nothing on a rollback to the current state', async () => {
    const agent = await harness.build.agent();
    const [first] = await list(agent.id);
    const before = await everything(harness);
    const { body } = await rollback(agent.id, first?.id as string).expect(200);
    expect(body).toEqual({ ...agent, warnings: [] });
    expect(await everything(harness)).toEqual(before);
  });

  it('reject a rollback that leads to a missing or terminated manager, or to a cycle', async () => {
    const { api, build, context } = harness;
    const manager = await build.agent();
    const { companyId } = manager;
    const agent = await build.agent({ companyId, reportsTo: manager.id });
    const [first] = await list(agent.id);
    await patch(agent.id, { reportsTo: null });

    await patch(manager.id, { reportsTo: agent.id });
    let before = await everything(harness);
    const circle = await rollback(agent.id, first?.id as string).expect(422);
    expect(circle.body).toMatchObject({ code: 'cycle', details: { field: 'reportsTo' } });
    expect(await everything(harness)).toEqual(before);

    await api.post(`/api/agents/${manager.id}/terminate`).expect(200);
    before = await everything(harness);
    const terminated = await rollback(agent.id, first?.id as string).expect(422);
    expect(terminated.body).toMatchObject({
      code: 'semantic_error',
      details: { field: 'reportsTo' },
    });
    expect(await everything(harness)).toEqual(before);

    await context.db.pool.query('DELETE FROM agent_config_revision WHERE agent_id = $1', [
      manager.id,
    ]);
    await context.db.pool.query('DELETE FROM agent WHERE id = $1', [manager.id]);
    const gone = await rollback(agent.id, first?.id as string).expect(422);
    expect(gone.body).toMatchObject({ code: 'unknown_reference', details: { field: 'reportsTo' } });
  });

  it('reject a rollback to a name in use or to another agent’s revision, and any rollback of a terminated agent', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const [first] = await list(agent.id);
    await patch(agent.id, { name: `${agent.name} II` });
    const heir = await build.agent({ companyId: agent.companyId, name: agent.name });
    const taken = await rollback(agent.id, first?.id as string).expect(409);
    expect(taken.body.code).toBe('name_taken');
    const [foreign] = await list(heir.id);
    await rollback(agent.id, foreign?.id as string).expect(404);
    await rollback(agent.id, newId()).expect(404);
    await rollback(agent.id, 'first').expect(404);
    await api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    const terminated = await rollback(agent.id, first?.id as string).expect(409);
    expect(terminated.body.code).toBe('agent_terminated');
  });

  it('reject a rollback to an invalid configuration or to a missing secret', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const [first] = await list(agent.id);
    const revise = async (after: object) => {
      const row = await db.agentConfigRevision.findUniqueOrThrow({
        where: { id: first?.id as string },
      });
      const stored = { ...(row.after as object), ...after };
      await db.agentConfigRevision.update({ where: { id: row.id }, data: { after: stored } });
      return everything(harness);
    };
    let before = await revise({ adapterType: 'withdrawn' });
    const adapter = await rollback(agent.id, first?.id as string).expect(422);
    expect(adapter.body).toMatchObject({
      code: 'semantic_error',
      details: [{ path: ['adapterType'] }],
    });
    expect(await everything(harness)).toEqual(before);

    const env = { TOKEN: { type: 'secret_ref', secretId: newId(), version: 'latest' } };
    before = await revise({ adapterType: 'process', adapterConfig: { command: 'true', env } });
    const secret = await rollback(agent.id, first?.id as string).expect(422);
    expect(secret.body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'adapterConfig.env.TOKEN' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it('apply concurrent rollbacks and updates one after the other', async () => {
    const agent = await harness.build.agent({ title: 'first' });
    const [first] = await list(agent.id);
    await patch(agent.id, { title: 'second' });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 2
          ? rollback(agent.id, first?.id as string)
          : harness.api.patch(`/api/agents/${agent.id}`).send({ title: `t${at}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const revisions = (await list(agent.id)).reverse();
    expect(revisions.map((row) => row.revisionNumber)).toEqual(revisions.map((_, at) => at + 1));
    for (const [at, revision] of revisions.entries()) {
      expect(revision.before).toEqual(at === 0 ? null : revisions[at - 1]?.after);
    }
  });
});

describe('masked values', () => {
  const harness = useHarness();
  const http = {
    adapterType: 'http',
    adapterConfig: {
      url: 'https://example.org/hook',
      headers: { 'X-Token': `${CANARY}-header` },
      env: { KEY: `${CANARY}-env`, EMPTY: '' },
    },
  };
  const masked = {
    url: 'https://example.org/hook',
    headers: { 'X-Token': '***' },
    env: { KEY: '***', EMPTY: '***' },
  };

  it('replace plain values of env and headers in every response', async () => {
    const { api, build } = harness;
    const agent = await build.agent(http);
    expect(agent.adapterConfig).toEqual(masked);
    const env = { ...masked.env, KEY: `${CANARY}-2` };
    const update = { adapterConfig: { ...masked, env } };
    const answers = [
      await api.patch(`/api/agents/${agent.id}`).send(update).expect(200),
      await api.get(`/api/agents/${agent.id}`).expect(200),
      await api.get(`/api/companies/${agent.companyId}/agents`).expect(200),
      await api.get(`/api/companies/${agent.companyId}/org`).expect(200),
      await api.get(`/api/companies/${agent.companyId}/activity`).expect(200),
      await api.get(`/api/agents/${agent.id}/config-revisions`).expect(200),
    ];
    const revisions = answers[5]?.body as ConfigRevisionView[];
    answers.push(
      await api
        .post(`/api/agents/${agent.id}/config-revisions/${revisions[1]?.id}/rollback`)
        .expect(200),
      await api
        .get('/api/agents/me')
        .set('Authorization', await build.apiKey(agent.id))
        .expect(200),
      await api
        .patch(`/api/agents/${agent.id}`)
        .send({ adapterConfig: { ...http.adapterConfig, x: 1 } })
        .expect(400),
      await api.post(`/api/agents/${agent.id}/terminate`).expect(200),
    );
    for (const answer of answers) expect(answer.text).not.toContain(CANARY);
    expect(revisions[0]?.after.adapterConfig).toEqual(masked);
    expect(revisions[0]?.changedKeys).toEqual(['adapterConfig']);
  });

  it('change nothing when they are sent back unchanged', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent(http);
    const before = await everything(harness);
    const { body } = await api.get(`/api/agents/${agent.id}`).expect(200);
    await api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: body.adapterConfig })
      .expect(200);
    const shuffled = Object.fromEntries(Object.entries(body.adapterConfig).reverse());
    await api.patch(`/api/agents/${agent.id}`).send({ adapterConfig: shuffled }).expect(200);
    expect(await everything(harness)).toEqual(before);
    const stored = await db.agent.findUniqueOrThrow({ where: { id: agent.id } });
    expect(stored.adapterConfig).toEqual(http.adapterConfig);
  });

  it('preserve the stored values in an update, unless plain values replace them', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent(http);
    const env = { KEY: '***', NEXT: 'value' };
    await api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: { ...masked, env } })
      .expect(200);
    const stored = await db.agent.findUniqueOrThrow({ where: { id: agent.id } });
    expect(stored.adapterConfig).toEqual({
      ...http.adapterConfig,
      env: { KEY: `${CANARY}-env`, NEXT: 'value' },
    });
  });

  it.each(['env', 'headers'] as const)(
    'must not be sent in %s for a name without a stored value',
    async (field) => {
      const agent = await harness.build.agent(http);
      const before = await everything(harness);
      for (const name of ['ABSENT', 'toString', 'constructor']) {
        const adapterConfig = { ...masked, [field]: { ...masked[field], [name]: '***' } };
        const { body } = await harness.api
          .patch(`/api/agents/${agent.id}`)
          .send({ adapterConfig })
          .expect(400);
        expect(body.details[0].path).toEqual(['adapterConfig', field, name]);
      }
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('do not prevent the 422 for a reference to a missing secret', async () => {
    const agent = await harness.build.agent(http);
    const env = { KEY: { type: 'secret_ref', secretId: newId() } };
    const { body } = await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: { ...masked, env } })
      .expect(422);
    expect(body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'adapterConfig.env.KEY' },
    });
  });
});
