import { newId } from '@switchyard/db';
import type { AgentView, OrgNode } from '@switchyard/types';
import { unique } from '../../../test/builders';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('GET routes of agents', () => {
  const harness = useHarness();

  it('return the chain of command, direct manager first', async () => {
    const { api, build } = harness;
    const ceo = await build.agent({ role: 'ceo' });
    const { companyId } = ceo;
    const lead = await build.agent({ companyId, role: 'manager', reportsTo: ceo.id });
    const agent = await build.agent({ companyId, reportsTo: lead.id });
    const { body } = await api.get(`/api/agents/${agent.id}`).expect(200);
    expect(body.chainOfCommand).toEqual([
      { id: lead.id, name: lead.name, role: 'manager' },
      { id: ceo.id, name: ceo.name, role: 'ceo' },
    ]);
    expect(body).toEqual(agent);
  });

  it('return the calling agent for an API key or a run token', async () => {
    const { api, build } = harness;
    const { agent, authorization } = await build.liveRun();
    const key = await build.apiKey(agent.id);
    for (const credential of [authorization, key]) {
      const { body } = await api.get('/api/agents/me').set('Authorization', credential).expect(200);
      expect(body).toEqual(agent);
    }
    const board = await api.get('/api/agents/me').expect(403);
    expect(board.body.code).toBe('forbidden');
    for (const credential of ['Bearer nothing', 'Bearer swy_nothing', 'Basic x', 'Bearer', '']) {
      const refused = await api.get('/api/agents/me').set('Authorization', credential);
      expect(refused.status).toBe(401);
      expect(refused.body.code).toBe('unauthenticated');
    }
  });

  it('list the agents of one company newest first, and repeat none while agents are added', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const made: string[] = [];
    for (let at = 0; at < 7; at++) made.unshift((await build.agent({ companyId })).id);
    const path = `/api/companies/${companyId}/agents`;
    const seen = await walkPages<AgentView>(harness, path, 3, () => build.agent({ companyId }));
    expect(seen.map((agent) => agent.id)).toEqual(made);
    for (const query of ['limit=0', 'limit=501', 'cursor=bm8', 'status=idle', 'limit=1&limit=2']) {
      await api.get(`/api/companies/${companyId}/agents?${query}`).expect(400);
    }
  });

  it('include the spend of the current month', async () => {
    const { api, build, context } = harness;
    const agent = await build.agent();
    await context.db.pool.query(
      `INSERT INTO agent_month (company_id, agent_id, month, cost_cents) VALUES
        ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC'), 250),
        ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month', 999)`,
      [agent.companyId, agent.id],
    );
    expect((await api.get(`/api/agents/${agent.id}`)).body.spentMonthlyCents).toBe(250);
    const list = await api.get(`/api/companies/${agent.companyId}/agents`);
    expect(list.body[0].spentMonthlyCents).toBe(250);
    const company = await api.get(`/api/companies/${agent.companyId}`);
    expect(company.body.spentMonthlyCents).toBe(250);
  });

  it('return the whole tree of the organization, roots first', async () => {
    const { api, build } = harness;
    const root = await build.agent({ title: 'Top' });
    const { companyId } = root;
    const a = await build.agent({ companyId, reportsTo: root.id });
    const b = await build.agent({ companyId, reportsTo: root.id });
    const leaf = await build.agent({ companyId, reportsTo: a.id });
    const lone = await build.agent({ companyId });
    await build.agent();
    const node = (agent: AgentView, reports: OrgNode[] = []): OrgNode => {
      const { id, name, role, title, status } = agent;
      return { id, name, role, title, status, reports };
    };
    const { body } = await api.get(`/api/companies/${companyId}/org`).expect(200);
    expect(body).toEqual([node(root, [node(a, [node(leaf)]), node(b)]), node(lone)]);
  });

  it('return a chain of 500 levels, which no request can extend: level 501 fails with 422', async () => {
    const { api, build, context } = harness;
    const { id: companyId } = await build.company();
    const chain = Array.from({ length: 499 }, () => newId());
    await context.db.pool.query(
      `INSERT INTO agent (id, company_id, name, name_key, role, adapter_type, reports_to)
        SELECT id, $1, 'level ' || at, 'level ' || at, 'engineer', 'scripted', lag(id) OVER (ORDER BY at)
        FROM unnest($2::uuid[]) WITH ORDINALITY AS level (id, at)`,
      [companyId, chain],
    );
    const last = await build.agent({ companyId, reportsTo: chain.at(-1) as string });
    expect(last.chainOfCommand).toHaveLength(499);
    expect((await api.get(`/api/companies/${companyId}/org`).expect(200)).body).toHaveLength(1);
    const tooDeep = { name: 'x', adapterType: 'scripted', reportsTo: last.id };
    const created = await api.post(`/api/companies/${companyId}/agents`).send(tooDeep).expect(422);
    expect(created.body).toMatchObject({ code: 'semantic_error', details: { field: 'reportsTo' } });
    const top = await build.agent({ companyId });
    const moved = await api
      .patch(`/api/agents/${chain[0]}`)
      .send({ reportsTo: top.id })
      .expect(422);
    expect(moved.body.code).toBe('semantic_error');
  });

  it('return 403 for the lists of another company, and 404 for the lists of an unknown company', async () => {
    const { api, build } = harness;
    const { authorization } = await build.liveRun();
    const { id } = await build.company();
    for (const path of ['agents', 'org']) {
      const foreign = api.get(`/api/companies/${id}/${path}`).set('Authorization', authorization);
      expect((await foreign.expect(403)).body.code).toBe('cross_company');
      await api.get(`/api/companies/${newId()}/${path}`).expect(404);
      await api.get(`/api/companies/x/${path}`).expect(404);
    }
  });
});

describe('POST /api/agents/{agentId}/keys', () => {
  const harness = useHarness();

  it('returns a key once, stores its hash, and accepts the key until it is deleted', async () => {
    const { api, build, context, db } = harness;
    const agent = await build.agent();
    const created = await api.post(`/api/agents/${agent.id}/keys`).send({ name: 'ci' }).expect(201);
    const { id, key, prefix } = created.body;
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'ci',
      key: expect.stringMatching(/^swy_[\w-]{43}$/),
      prefix: key.slice(0, 10),
      createdAt: expect.any(String),
    });
    await api.get('/api/agents/me').set('Authorization', `Bearer ${key}`).expect(200);
    const { body: listed } = await api.get(`/api/agents/${agent.id}/keys`).expect(200);
    expect(listed).toEqual([
      { id, name: 'ci', prefix, lastUsedAt: expect.any(String), createdAt: created.body.createdAt },
    ]);
    const { rows } = await context.db.pool.query(
      'SELECT k::text AS row FROM agent_key k WHERE id = $1',
      [id],
    );
    expect(rows[0].row).not.toContain(key.slice(10));
    const activity = await db.activity.findMany({ where: { entityId: id } });
    expect(JSON.stringify(activity.map((row) => row.details))).not.toContain(key);

    await api.delete(`/api/agents/${agent.id}/keys/${id}`).expect(204, '');
    await api.get('/api/agents/me').set('Authorization', `Bearer ${key}`).expect(401);
    await api.delete(`/api/agents/${agent.id}/keys/${id}`).expect(404);
    const actions = await db.activity.findMany({
      where: { entityId: id },
      orderBy: { sequence: 'asc' },
    });
    expect(actions.map((row) => row.action)).toEqual([
      'agent_key.created',
      'agent_key.used',
      'agent_key.deleted',
    ]);
  });

  it('accepts a request without a body, but rejects an invalid name', async () => {
    const agent = await harness.build.agent();
    const { body } = await harness.api.post(`/api/agents/${agent.id}/keys`).expect(201);
    expect(body.name).toBe('default');
    const long = await harness.api
      .post(`/api/agents/${agent.id}/keys`)
      .send({ name: unique('x').repeat(50) })
      .expect(400);
    expect(long.body.details[0].path).toEqual(['name']);
  });
});
