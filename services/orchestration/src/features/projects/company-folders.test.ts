import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding, HeartbeatRunView, IssueView, ProjectDetailView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { startChecks } from '../../../test/runner';

const SAY_WHERE = { command: '/bin/sh', args: ['-c', 'pwd -P'] };

describe('directories of workspaces and agents in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  let base: string;
  let acme: string;
  let other: string;

  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-companies-')));
    harness.config.repositories.workspaceRoots = [join(base, '{companyId}')];
    ({ id: acme } = await harness.build.company());
    ({ id: other } = await harness.build.company());
    for (const id of [acme, other]) await mkdir(join(base, id, 'site'), { recursive: true });
    await symlink(join(base, other, 'site'), join(base, acme, 'link'));
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  const own = (...path: string[]) => join(base, acme, ...path);
  const foreign = (...path: string[]) => join(base, other, ...path);

  const asAgent = async () => {
    const { agent, authorization } = await harness.build.liveRun({ companyId: acme });
    return { agent, key: authorization };
  };
  const refusedWith = async (call: { send(body: object): PromiseLike<unknown> }, body: object) => {
    const before = await everything(harness);
    const answer = (await call.send(body)) as { status: number; body: object };
    expect(await everything(harness)).toEqual(before);
    return answer;
  };

  it('can be set in a workspace only by the board', async () => {
    const { key } = await asAgent();
    const repoUrl = 'https://example.com/site';
    const project = await harness.build.project({
      companyId: acme,
      workspace: { cwd: own('site'), repoUrl },
    });
    const workspaces = `/api/projects/${project.id}/workspaces`;
    const at = `${workspaces}/${project.workspaces[0]?.id}`;
    const to = (method: 'post' | 'patch', path: string) =>
      harness.api[method](path).set('Authorization', key);
    for (const [call, body] of [
      [to('post', `/api/companies/${acme}/projects`), { name: 'X', workspace: { cwd: own() } }],
      [to('post', workspaces), { cwd: own('site') }],
      [to('post', workspaces), { cwd: own('site'), repoUrl }],
      [to('patch', at), { cwd: own() }],
      [to('patch', at), { cwd: null }],
    ] as const) {
      const { status, body: said } = await refusedWith(call, body);
      expect([status, said]).toMatchObject([
        403,
        { code: 'board_only', details: { field: 'cwd' } },
      ]);
    }
    const unchanged = await to('patch', at)
      .send({ cwd: own('site'), name: 'Yard' })
      .expect(403);
    expect(unchanged.body.code).toBe('not_own');
    await to('post', workspaces).send({ repoUrl, cwd: null }).expect(201);
    await harness.founding.patch(at).send({ cwd: own() }).expect(200);
  });

  it('can be set in an agent configuration only by the board', async () => {
    const { agent, key } = await asAgent();
    const adapterConfig = { ...SAY_WHERE, cwd: own('site') };
    const hire = { name: 'Hired', adapterType: 'process', adapterConfig };
    for (const [call, body, field] of [
      [harness.api.patch(`/api/agents/${agent.id}`), { adapterConfig }, 'adapterConfig'],
      [harness.api.post(`/api/companies/${acme}/agent-hires`), hire, 'adapterType'],
    ] as const) {
      const { status, body: said } = await refusedWith(call.set('Authorization', key), body);
      expect([status, said]).toMatchObject([403, { code: 'board_only', details: { field } }]);
    }
  });

  it('must be below the company’s WORKSPACE_ROOTS when they are set', async () => {
    const project = await harness.build.project({ companyId: acme });
    const agent = await harness.build.agent({
      companyId: acme,
      adapterType: 'process',
      adapterConfig: { ...SAY_WHERE, cwd: own('site') },
    });
    const { founding } = harness;
    const workspaces = `/api/projects/${project.id}/workspaces`;
    const fields = (cwd: string) => ({
      name: 'Another',
      adapterType: 'process',
      adapterConfig: { ...SAY_WHERE, cwd },
    });
    for (const cwd of [foreign('site'), own('..', other), base, '/etc', `${own()}2`]) {
      for (const [call, body, field] of [
        [founding.post(workspaces), { cwd }, 'cwd'],
        [
          founding.post(`/api/companies/${acme}/projects`),
          { name: 'X', workspace: { cwd } },
          'cwd',
        ],
        [founding.post(`/api/companies/${acme}/agents`), fields(cwd), 'adapterConfig.cwd'],
        [founding.post(`/api/companies/${acme}/agent-hires`), fields(cwd), 'adapterConfig.cwd'],
        [
          founding.patch(`/api/agents/${agent.id}`),
          { adapterConfig: { ...SAY_WHERE, cwd } },
          'adapterConfig.cwd',
        ],
      ] as const) {
        const { status, body: said } = await refusedWith(call, body);
        expect([status, said]).toMatchObject([422, { code: 'semantic_error', details: { field } }]);
      }
    }
    await founding
      .post(workspaces)
      .send({ cwd: own('new') })
      .expect(201);
    await founding.patch(`/api/agents/${agent.id}`).send({ title: 'Engineer' }).expect(200);
  });

  const runIn = async (project: ProjectDetailView, agentId: string) => {
    const { companyId, id: projectId } = project;
    const issue: IssueView = await harness.build.issue({ companyId, projectId, status: 'todo' });
    const { id } = await harness.build.queuedRun(agentId, { issueId: issue.id });
    await harness.drain();
    const { body } = await harness.founding.get(`/api/heartbeat-runs/${id}`).expect(200);
    const log = await harness.founding.get(`/api/heartbeat-runs/${id}/log`).expect(200);
    return { run: body as HeartbeatRunView, said: (log.body.content as string).trim() };
  };

  it('must still be allowed when a run or a check resolves them again', async () => {
    const { build, db } = harness;
    const adapterConfig = { ...SAY_WHERE, cwd: own('link') };
    const agent = await build.agent({ companyId: acme, adapterType: 'process', adapterConfig });
    const project = await build.project({ companyId: acme, workspace: { cwd: own('site') } });
    expect(await runIn(project, agent.id)).toMatchObject({
      run: { status: 'succeeded' },
      said: own('site'),
    });
    const where = { id: project.workspaces[0]?.id as string };
    for (const cwd of [own('link'), foreign('site'), base]) {
      await db.workspace.update({ where, data: { cwd } });
      const { run, said } = await runIn(project, agent.id);
      expect(run).toMatchObject({ status: 'failed', errorCode: 'cwd_not_allowed' });
      expect(said).toBe('');
    }
    const bare = await build.project({ companyId: acme });
    expect((await runIn(bare, agent.id)).run.errorCode).toBe('cwd_not_allowed');
    const checks = startChecks(harness.context);
    try {
      const path = `/api/agents/${agent.id}/check`;
      const { body } = await harness.founding.post(path).send({}).expect(200);
      expect((body as Finding[]).map(({ code }) => code)).toContain('cwd_not_allowed');
    } finally {
      await checks.close();
    }
  });

  it('can be restored from an older revision only if they are still allowed', async () => {
    const adapterConfig = { ...SAY_WHERE, cwd: own('site') };
    const agent = await harness.build.agent({
      companyId: acme,
      adapterType: 'process',
      adapterConfig,
    });
    await harness.founding
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: SAY_WHERE })
      .expect(200);
    const revisions = `/api/agents/${agent.id}/config-revisions`;
    const { body } = await harness.founding.get(revisions).expect(200);
    const first = `${revisions}/${body.at(-1).id}/rollback`;
    const { repositories } = harness.config;
    const before = repositories.workspaceRoots;
    repositories.workspaceRoots = [join(base, 'elsewhere', '{companyId}')];
    try {
      const { status, body: said } = await refusedWith(harness.founding.post(first), {});
      expect([status, said]).toMatchObject([422, { details: { field: 'adapterConfig.cwd' } }]);
    } finally {
      repositories.workspaceRoots = before;
    }
    await harness.founding.post(first).send({}).expect(200);
  });
});
