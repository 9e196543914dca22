import { newId } from '@switchyard/db';
import { MAX_SAVED_VIEWS, type SavedViewView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { useHarness } from '../../../test/harness';

const VIEW = { name: 'Mine', screen: 'issues', query: 'status=todo&sort=due' };

describe('saved views in local mode', () => {
  const harness = useHarness();
  const list = async (companyId: string, query = ''): Promise<SavedViewView[]> =>
    (await harness.api.get(`/api/companies/${companyId}/views${query}`).expect(200)).body;
  const save = (companyId: string, view: object) =>
    harness.api.post(`/api/companies/${companyId}/views`).send(view);

  it('can be saved, listed by screen, changed and deleted', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const { body: view } = await save(companyId, VIEW).expect(201);
    expect(view).toEqual({
      ...VIEW,
      id: expect.any(String),
      companyId,
      userId: 'local-board',
      userName: 'Local board',
      isOwn: true,
      isShared: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { body: other } = await save(companyId, { ...VIEW, screen: 'runs' }).expect(201);
    expect(await list(companyId)).toEqual([other, view]);
    expect(await list(companyId, '?screen=issues')).toEqual([view]);
    const path = `/api/views/${view.id}`;
    const change = { name: 'Urgent', query: 'priority=high', isShared: true };
    const { body: after } = await api.patch(path).send(change).expect(200);
    expect(after).toEqual({ ...view, ...change, updatedAt: after.updatedAt });
    await api.patch(path).send({}).expect(200, after);
    await api.delete(path).expect(204);
    await api.delete(path).expect(404);
    expect(await list(companyId)).toEqual([other]);
  });

  it('have a name that is unique per screen, regardless of letter case', async () => {
    const { id: companyId } = await harness.build.company();
    await save(companyId, VIEW).expect(201);
    const { body } = await save(companyId, { ...VIEW, name: 'MINE' }).expect(409);
    expect(body).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    const { body: other } = await save(companyId, { ...VIEW, name: 'Other' }).expect(201);
    const { body: taken } = await harness.api
      .patch(`/api/views/${other.id}`)
      .send({ name: 'mine' })
      .expect(409);
    expect(taken.code).toBe('name_taken');
  });

  it('cannot exceed the maximum number of views, even if they are saved concurrently', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.context.db.pool.query(
      `INSERT INTO saved_view (id, company_id, user_id, name, name_key, screen, query)
       SELECT gen_random_uuid(), $1, 'local-board', 'View ' || n, 'view ' || n, 'runs', '' FROM generate_series(2, $2) n`,
      [companyId, MAX_SAVED_VIEWS],
    );
    const names = ['One', 'Two', 'Three'];
    const answers = await Promise.all(names.map((name) => save(companyId, { ...VIEW, name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'conflict', details: { limit: MAX_SAVED_VIEWS } });
    expect(await list(companyId, '?limit=500')).toHaveLength(MAX_SAVED_VIEWS);
  });

  it('appear by name in the activity only if they are shared', async () => {
    const { id: companyId } = await harness.build.company();
    await save(companyId, VIEW).expect(201);
    await save(companyId, { ...VIEW, name: 'Ours', isShared: true }).expect(201);
    const { body } = await harness.api.get(
      `/api/companies/${companyId}/activity?entityType=saved_view`,
    );
    expect(body.map((one: { details: object }) => one.details)).toEqual([
      { screen: 'issues', isShared: true, name: 'Ours' },
      { screen: 'issues', isShared: false },
    ]);
  });

  it.each([
    ['name', { ...VIEW, name: ' ' }],
    ['name', { ...VIEW, name: 'x'.repeat(201) }],
    ['screen', { ...VIEW, screen: '../x' }],
    ['screen', { name: 'x', query: '' }],
    ['query', { ...VIEW, query: 'x'.repeat(2_001) }],
    ['query', { ...VIEW, query: '\0' }],
    ['isShared', { ...VIEW, isShared: 'yes' }],
    ['userId', { ...VIEW, userId: newId() }],
  ])('cannot be saved with an invalid %s', async (field, body) => {
    const { id } = await harness.build.company();
    const answer = await save(id, body).expect(400);
    expect(JSON.stringify(answer.body.details)).toContain(field);
  });

  it('cannot be listed by agents, or changed under an unknown id', async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const path = `/api/companies/${run.agent.companyId}/views`;
    const { body } = await api.get(path).set('Authorization', run.authorization).expect(403);
    expect(body.code).toBe('board_only');
    await api.patch(`/api/views/${newId()}`).send({ name: 'x' }).expect(404);
    await api.patch('/api/views/x').send({ name: 'x' }).expect(404);
  });
});

describe('saved views of several people', () => {
  const harness = useAuthenticatedHarness();

  it('can be seen and changed by others only while they are shared', async () => {
    const { build, as } = harness;
    const { id: companyId } = await build.company();
    const [ann, bob, viewer] = [
      await harness.operator(companyId, 'operator'),
      await harness.operator(companyId, 'operator'),
      await harness.operator(companyId, 'viewer'),
    ];
    const path = `/api/companies/${companyId}/views`;
    const { body: own } = await as(ann).post(path).send(VIEW).expect(201);
    const { body: shared } = await as(ann)
      .post(path)
      .send({ ...VIEW, name: 'Ours', isShared: true })
      .expect(201);
    expect((await as(ann).get(path).expect(200)).body).toEqual([shared, own]);
    for (const other of [bob, viewer]) {
      expect((await as(other).get(path).expect(200)).body).toEqual([{ ...shared, isOwn: false }]);
      await as(other)
        .patch(`/api/views/${own.id}`)
        .send({ name: 'x' })
        .expect(other === bob ? 404 : 403);
    }
    await as(bob).delete(`/api/views/${own.id}`).expect(404);
    await as(bob).post(path).send(VIEW).expect(201);
    await as(viewer).post(path).send(VIEW).expect(403);

    const at = `/api/views/${shared.id}`;
    const { body: changed } = await as(bob).patch(at).send({ query: 'status=done' }).expect(200);
    expect(changed).toMatchObject({ userId: ann.id, isOwn: false, query: 'status=done' });
    const { body } = await as(bob).patch(at).send({ isShared: false }).expect(403);
    expect(body.code).toBe('not_own');
    await as(ann).patch(at).send({ isShared: false }).expect(200);
    await as(bob).delete(at).expect(404);
    await as(ann).patch(at).send({ isShared: true }).expect(200);
    await as(bob).delete(at).expect(204);
  });

  it('cannot be read by other companies', async () => {
    const { build, as } = harness;
    const [here, there] = [await build.company(), await build.company()];
    const ann = await harness.operator(here.id, 'owner');
    const eve = await harness.operator(there.id, 'owner');
    const view = { ...VIEW, isShared: true };
    const { body } = await as(ann).post(`/api/companies/${here.id}/views`).send(view).expect(201);
    for (const method of ['patch', 'delete'] as const) {
      const answer = await as(eve)[method](`/api/views/${body.id}`).send({}).expect(403);
      expect(answer.body.code).toBe('cross_company');
    }
    expect((await as(eve).get(`/api/companies/${there.id}/views`).expect(200)).body).toEqual([]);
  });
});
