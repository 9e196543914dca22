import { newId } from '@switchyard/db';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { unique } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { rowsOf } from '../../../test/rows-of-company';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { buildSide } from '../../../test/world';
import { ERASED } from '../../state/companies/erase-company';
import { eraseCompanies } from '../../work/erase-companies';

describe('DELETE /api/companies/:companyId', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const remove = (id: string, body: object) =>
    harness.api.delete(`/api/companies/${id}`).send(body);
  const archive = (id: string) => harness.api.post(`/api/companies/${id}/archive`).expect(200);
  const refused = async (id: string, body: object, status: number, code: string) => {
    const before = await everything(harness);
    const answer = await remove(id, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await everything(harness)).toEqual(before);
    return answer.body;
  };

  it('rejects a wrong name, a company that is not archived and a company with a running run', async () => {
    const { id: runId, agent } = await harness.build.liveRun();
    const id = agent.companyId;
    const { name } = (await harness.api.get(`/api/companies/${id}`)).body;
    const invalid = await refused(id, {}, 400, 'validation_error');
    expect(invalid.details[0].path).toEqual(['name']);
    const wrong = await refused(id, { name: `${name} x` }, 409, 'confirmation_required');
    expect(wrong.details).toEqual({ field: 'name', retry: false });
    const active = await refused(id, { name }, 409, 'conflict');
    expect(active.error).toContain('archived');
    await archive(id);
    const running = await refused(id, { name }, 409, 'conflict');
    expect(running.details).toEqual({ runningRuns: 1, retry: true });
    await harness.build.endLiveRun(runId);
    await remove(id, { name }).expect(200);
  });

  it('returns the deletion and the company’s runners, because their machines keep folders', async () => {
    const { id, name } = await harness.build.company();
    const runner = { name: 'Own', labels: ['x'] };
    await harness.api.post(`/api/companies/${id}/runners`).send(runner).expect(201);
    await archive(id);
    const { body } = await remove(id, { name }).expect(200);
    expect(body).toEqual({ id, deletedAt: expect.any(String), runners: ['Own'] });
    const [kept] = await harness.db.deletedCompany.findMany({ where: { id } });
    expect(kept).toMatchObject({ deletedByUserId: 'local-board', erasedAt: null });
    await eraseCompanies(harness.context);
    const [erased] = await harness.db.deletedCompany.findMany({ where: { id } });
    expect(erased?.erasedAt).not.toBeNull();
  });

  it('succeeds for one of several concurrent callers, and returns 404 to the others', async () => {
    const { id, name } = await harness.build.company();
    await archive(id);
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('ends all access immediately, before the rows are erased', async () => {
    const { api, build, db } = harness;
    const { ids, runnerToken } = await buildSide(harness);
    const { companyId, agentId, issueId } = ids;
    const authorization = await build.apiKey(agentId);
    const { name } = await db.company.findUniqueOrThrow({ where: { id: companyId } });
    const paths = [
      [`/api/issues/${issueId}`, 'issue'],
      [`/api/agents/${agentId}`, 'agent'],
      [`/api/companies/${companyId}/dashboard`, 'company'],
    ] as const;
    for (const [path] of paths) await api.get(path).expect(200);
    await api.get(`/api/companies/${companyId}/issues`).expect(200);
    await archive(companyId);
    await build.endLiveRun(ids.runId);
    await remove(companyId, { name }).expect(200);
    for (const isErased of [false, true]) {
      expect((await rowsOf(harness, companyId)).length > 0).toBe(!isErased);
      await api.get(`/api/companies/${companyId}`).expect(404);
      await api.get(`/api/companies/${companyId}/issues`).expect(404);
      for (const [path, noun] of paths) {
        const { body } = await api.get(path).expect(404);
        expect(body.error).toMatch(`${noun} not found: the path must name an existing ${noun}`);
      }
      await api.get(`/api/assets/${ids.assetId}/content`).expect(404);
      await api.post(`/api/companies/${companyId}/issues`).send({ title: 'x' }).expect(404);
      await api.post(`/api/issues/${issueId}/comments`).send({ body: 'x' }).expect(404);
      await api.patch(`/api/issues/${issueId}`).send({ title: 'x' }).expect(404);
      await api.get('/api/agents/me').set('Authorization', authorization).expect(401);
      const client = runnerClient(harness, { token: runnerToken });
      await client.post('folders', { runIds: [], agentIds: [] }).expect(401);
      const all = await api.get('/api/companies?includeArchived=true&limit=500').expect(200);
      expect(all.body.map((company: { id: string }) => company.id)).not.toContain(companyId);
      await eraseCompanies(harness.context);
    }
    expect(await rowsOf(harness, companyId)).toEqual([]);
    await harness.drain();
  });

  it('lists the folders of a deleted company for the installation’s runners', async () => {
    const { ids } = await buildSide(harness);
    const { companyId, projectId, runId } = ids;
    const ask = async () => {
      const body = { runIds: [runId], agentIds: [companyId, projectId, newId()] };
      return (await runnerClient(harness).post('folders', body).expect(200)).body.over.sort();
    };
    expect(await ask()).toEqual([]);
    await harness.build.endLiveRun(runId);
    await archive(companyId);
    const { name } = await harness.db.company.findUniqueOrThrow({ where: { id: companyId } });
    await remove(companyId, { name }).expect(200);
    await eraseCompanies(harness.context);
    expect(await ask()).toEqual([companyId, projectId, runId].sort());
  });

  it('erases every table that names a company, children before parents', async () => {
    const { rows } = await harness.context.db.pool.query(FOREIGN_KEYS);
    const tables = await harness.context.db.pool.query(TABLES);
    const order = [...ERASED.access, ...ERASED.data, { name: 'asset' }, ...ERASED.derived].map(
      ({ name }) => name,
    );
    order.push('company');
    const cascades = rows.filter(({ action }) => action === 'c').map(({ table }) => table);
    const left = tables.rows.filter(
      ({ name }) => !order.includes(name) && !cascades.includes(name),
    );
    expect(left).toEqual([]);
    const circles = new Map(ERASED.circles);
    const misplaced = rows.filter(({ table, target, action, columns }) => {
      if (action === 'c' || !order.includes(table) || !order.includes(target)) return false;
      if (order.indexOf(table) < order.indexOf(target)) return false;
      const ordered = ERASED.data.find(({ name, where }) => name === table && where)?.where;
      return !columns.some(
        (column: string) => circles.get(table)?.includes(column) || ordered?.startsWith(column),
      );
    });
    expect(misplaced).toEqual([]);
  });
});

const TABLES = `
  SELECT table_name::text AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND column_name = 'company_id' ORDER BY 1`;

const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS target,
    confdeltype::text AS action, ARRAY(SELECT attname::text FROM pg_attribute
      WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
  FROM pg_constraint WHERE contype = 'f'`;

describe('DELETE /api/companies/:companyId, with sign-in', () => {
  const harness = useAuthenticatedHarness();

  it('requires an owner’s browser session, and ends memberships and tokens', async () => {
    const { as, build, founding, operator } = harness;
    const { id, name } = await build.company();
    const path = `/api/companies/${id}`;
    const agent = await build.agent({ companyId: id });
    const authorization = await build.apiKey(agent.id);
    const [owner, member] = [await operator(id, 'owner'), await operator(id)];
    const token = { name: unique('token'), scope: 'write', companyId: id };
    const { body } = await as(owner).post('/api/auth/tokens').send(token).expect(201);
    await founding.post(`${path}/archive`).expect(200);
    await as(member).delete(path).send({ name }).expect(403);
    await harness.api.delete(path).set('Authorization', authorization).send({ name }).expect(403);
    const bearer = `Bearer ${body.token}`;
    await harness.api.delete(path).set('Authorization', bearer).send({ name }).expect(403);
    await as(owner).delete(path).send({ name }).expect(200);
    await founding.get(path).expect(404);
    await harness.api.get('/api/companies').set('Authorization', bearer).expect(401);
    const session = await as(owner).get('/api/auth/session').expect(200);
    expect(session.body.memberships).toEqual([]);
    const [kept] = await harness.db.deletedCompany.findMany({ where: { id } });
    expect(kept?.deletedByUserId).toBe(owner.id);
  });
});
