import type { CreateWorkspaceBody, WorkspaceView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('workspace routes', () => {
  const harness = useHarness();

  const setUp = async (workspace: CreateWorkspaceBody = { cwd: '/srv/ship' }) => {
    const project = await harness.build.project({ workspace });
    return { project, seed: project.workspaces[0] as WorkspaceView };
  };
  const at = ({ projectId, id }: WorkspaceView) => `/api/projects/${projectId}/workspaces/${id}`;
  const patch = (workspace: WorkspaceView, body: object) =>
    harness.api.patch(at(workspace)).send(body);

  it('return the workspace of a new project as the primary workspace', async () => {
    const { api, db } = harness;
    const { project, seed } = await setUp({ cwd: '/srv/ship', isPrimary: false });
    expect(project.workspaces).toEqual([
      {
        id: expect.any(String),
        companyId: project.companyId,
        projectId: project.id,
        name: 'ship',
        cwd: '/srv/ship',
        repoUrl: null,
        repoRef: null,
        repoCredential: null,
        isPrimary: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect((await api.get(`/api/projects/${project.id}`)).body).toEqual(project);
    const recorded = await db.activity.findMany({ where: { companyId: project.companyId } });
    expect(recorded.find((row) => row.action === 'project.created')?.details).toMatchObject({
      workspaceId: seed.id,
    });
    expect(recorded.filter((row) => row.action.startsWith('workspace.'))).toEqual([]);
  });

  it('allow agents to set a directory only below WORKSPACE_ROOTS', async () => {
    const { project, seed } = await setUp();
    const { companyId } = project;
    const { authorization } = await harness.build.liveRun({ companyId });
    const to = (method: 'post' | 'patch', path: string) =>
      harness.api[method](path).set('Authorization', authorization);
    const workspaces = `/api/projects/${project.id}/workspaces`;
    const before = await everything(harness);
    for (const [call, body] of [
      [to('post', `/api/companies/${companyId}/projects`), { name: 'X', workspace: { cwd: '/x' } }],
      [to('post', workspaces), { cwd: '/opt/other' }],
      [to('patch', at(seed)), { cwd: '/srv/ship/..' }],
      [to('patch', at(seed)), { cwd: null, repoUrl: 'https://example.com/x' }],
    ] as const) {
      const { status, body: said } = await call.send(body);
      const refusal = { code: 'board_only', details: { field: 'cwd' } };
      expect([status, said]).toMatchObject([403, refusal]);
    }
    expect(await everything(harness)).toEqual(before);
    await to('patch', at(seed)).send({ cwd: '/srv/ship', name: 'Yard' }).expect(200);
    const { repositories } = harness.config;
    repositories.workspaceRoots = ['/srv'];
    try {
      await to('patch', at(seed)).send({ cwd: '/srv/other' }).expect(200);
      await to('patch', at(seed)).send({ cwd: '/opt/other' }).expect(422);
    } finally {
      repositories.workspaceRoots = 'any';
    }
  });

  it('accept every writable field on create and on update', async () => {
    const { api } = harness;
    const { project, seed } = await setUp();
    const fields = {
      name: 'The yard',
      cwd: '/srv/yard',
      repoUrl: 'git@example.com:acme/yard.git',
      repoRef: 'release/1.2',
      isPrimary: false,
    };
    const created = await api.post(`/api/projects/${project.id}/workspaces`).send(fields);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...fields, projectId: project.id });
    const all = { ...fields, isPrimary: true };
    const { body } = await patch(seed, all).expect(200);
    expect(body).toEqual({ ...seed, ...all, updatedAt: expect.any(String) });
    expect(body.updatedAt > seed.updatedAt).toBe(true);
  });

  it('accept a workspace with only a repository', async () => {
    const { seed } = await setUp({ cwd: null, repoUrl: 'https://example.com/acme/yard.git' });
    expect(seed).toMatchObject({ name: 'yard', cwd: null, isPrimary: true });
  });

  it('reject a create request with neither cwd nor repoUrl, and the error names both fields', async () => {
    const { project } = await setUp();
    const before = await everything(harness);
    for (const body of [{}, { name: 'x' }, { cwd: null, repoUrl: null, repoRef: 'main' }]) {
      const alone = await harness.api.post(`/api/projects/${project.id}/workspaces`).send(body);
      expect(alone.status).toBe(400);
      expect(alone.body.details.map((one: { path: unknown }) => one.path)).toEqual([
        ['cwd'],
        ['repoUrl'],
      ]);
      const seeding = await harness.api
        .post(`/api/companies/${project.companyId}/projects`)
        .send({ name: 'x', workspace: body })
        .expect(400);
      expect(seeding.body.details.map((one: { path: unknown }) => one.path)).toEqual([
        ['workspace', 'cwd'],
        ['workspace', 'repoUrl'],
      ]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('reject an update that would leave the workspace with neither cwd nor repoUrl (400 or 422)', async () => {
    const { seed } = await setUp();
    const before = await everything(harness);
    const byItself = await patch(seed, { cwd: null, repoUrl: null }).expect(400);
    expect(byItself.body.details.map((one: { path: unknown }) => one.path)).toEqual([
      ['cwd'],
      ['repoUrl'],
    ]);
    const stored = await patch(seed, { cwd: null }).expect(422);
    expect(stored.body).toMatchObject({ code: 'semantic_error', details: { field: 'cwd' } });
    expect(await everything(harness)).toEqual(before);

    await patch(seed, { cwd: null, repoUrl: 'https://example.com/a' }).expect(200);
    const other = await patch(seed, { repoUrl: null }).expect(422);
    expect(other.body.details).toEqual({ field: 'repoUrl' });
    await patch(seed, { cwd: '/srv/a', repoUrl: null }).expect(200);
  });

  it('keep either cwd or repoUrl if two concurrent updates each remove one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const { seed } = await setUp({ cwd: '/srv/a', repoUrl: 'https://example.com/a' });
      const answers = await Promise.all([
        patch(seed, { cwd: null }),
        patch(seed, { repoUrl: null }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    }
  });

  it('leave absent fields unchanged and clear null fields in an update', async () => {
    const { seed } = await setUp({ cwd: '/srv/a', repoUrl: 'https://example.com/a', repoRef: 'b' });
    for (const field of ['repoRef', 'repoUrl'] as const) {
      const { body } = await patch(seed, { [field]: null }).expect(200);
      expect(body).toMatchObject({ [field]: null, cwd: '/srv/a' });
    }
    for (const field of ['name', 'isPrimary']) {
      const { body } = await patch(seed, { [field]: null }).expect(400);
      expect(body.details[0].path).toEqual([field]);
    }
  });

  it('record each change once, and record nothing if all values are equal', async () => {
    const { db, api } = harness;
    const { seed } = await setUp();
    const before = await everything(harness);
    const { name, cwd, repoUrl, repoRef, isPrimary } = seed;
    for (const body of [{}, { name, cwd, isPrimary, repoRef }, { repoUrl, cwd, name: 'ship' }]) {
      expect((await patch(seed, body).expect(200)).body).toEqual(seed);
    }
    expect(await everything(harness)).toEqual(before);
    await patch(seed, { name: 'Yard', cwd }).expect(200);
    await api.delete(at(seed)).expect(204);
    const recorded = await db.activity.findMany({
      where: { entityId: seed.id, entityType: 'workspace' },
      orderBy: { sequence: 'asc' },
    });
    const { projectId } = seed;
    expect(recorded.map(({ action, details }) => [action, details])).toEqual([
      ['workspace.updated', { projectId, changed: ['name'] }],
      ['workspace.deleted', { projectId, name: 'Yard' }],
    ]);
  });

  it.each([
    [{ cwd: 'srv' }, 'cwd'],
    [{ cwd: '' }, 'cwd'],
    [{ cwd: '/a\0b' }, 'cwd'],
    [{ cwd: '/srv', repoUrl: 'http://example.com/a' }, 'repoUrl'],
    [{ cwd: '/srv', repoRef: '--upload-pack=x' }, 'repoRef'],
    [{ cwd: '/srv', name: ' ' }, 'name'],
    [{ cwd: '/srv', isPrimary: 'true' }, 'isPrimary'],
    [{ cwd: '/srv', projectId: 'x' }, 'projectId'],
  ])('reject %j with 400, name the field, and change nothing', async (body, field) => {
    const { project, seed } = await setUp();
    const before = await everything(harness);
    const create = `/api/projects/${project.id}/workspaces`;
    for (const answer of [await harness.api.post(create).send(body), await patch(seed, body)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.details.at(-1).path).toEqual([field]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('list the workspaces of one project newest first, page by page', async () => {
    const { api } = harness;
    const { project, seed } = await setUp();
    await setUp();
    const path = `/api/projects/${project.id}/workspaces`;
    const add = async () =>
      (await api.post(path).send({ cwd: '/srv/more' }).expect(201)).body as WorkspaceView;
    const made = [seed];
    for (let count = 1; count < 5; count++) made.unshift(await add());
    expect(await walkPages<WorkspaceView>(harness, path, 2, add)).toEqual(made);
    for (const query of ['limit=0', 'cursor=x', 'isPrimary=true']) {
      await api.get(`${path}?${query}`).expect(400);
    }
  });

  it('reject more than 200 workspaces per project with 422', async () => {
    const { api, context } = harness;
    const { project } = await setUp();
    await context.db.pool.query(
      `INSERT INTO workspace (id, company_id, project_id, name, cwd)
       SELECT gen_random_uuid(), $1, $2, 'w', '/srv' FROM generate_series(1, 199)`,
      [project.companyId, project.id],
    );
    const { body } = await api
      .post(`/api/projects/${project.id}/workspaces`)
      .send({ cwd: '/srv', isPrimary: true })
      .expect(422);
    expect(body).toMatchObject({ code: 'semantic_error', details: { limit: 200 } });
    const stored = (await api.get(`/api/projects/${project.id}`)).body.workspaces;
    expect(stored).toHaveLength(200);
  });
});
