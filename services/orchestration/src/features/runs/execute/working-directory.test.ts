import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeartbeatRunView, IssueView, WorkspaceView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { runFolder } from '../../../config';

const SAY_WHERE = { command: '/bin/sh', args: ['-c', 'pwd -P'] };

describe('the working directory of a run', () => {
  const harness = useHarness();
  let root: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-places-')));
    for (const name of ['first', 'second', 'adapter']) await mkdir(join(root, name));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const place = (name: string) => join(root, name);

  const setUp = async (adapterConfig: object = {}) => {
    const { build } = harness;
    const agent = await build.agent({
      adapterType: 'process',
      adapterConfig: { ...SAY_WHERE, ...adapterConfig },
    });
    const { companyId } = agent;
    const project = await build.project({ companyId });
    const issue = await build.issue({ companyId, projectId: project.id, status: 'todo' });
    const add = async (body: object) => {
      const path = `/api/projects/${project.id}/workspaces`;
      return (await harness.api.post(path).send(body).expect(201)).body as WorkspaceView;
    };
    const change = (workspace: WorkspaceView, verb: 'patch' | 'delete', body?: object) =>
      harness.api[verb](`/api/projects/${project.id}/workspaces/${workspace.id}`).send(body);
    return { agent, issue, add, change };
  };

  const runOn = async (agentId: string, issue: IssueView | null) => {
    const queued = await harness.build.queuedRun(agentId, issue ? { issueId: issue.id } : {});
    await harness.drain();
    const path = `/api/heartbeat-runs/${queued.id}`;
    const run = (await harness.api.get(path).expect(200)).body as HeartbeatRunView;
    const log = await harness.api.get(`${path}/log`).expect(200);
    return { run, said: (log.body.content as string).trim() };
  };

  it('equals the directory of the primary workspace of the issue’s project', async () => {
    const { agent, issue, add, change } = await setUp({ cwd: place('adapter') });
    const first = await add({ cwd: place('first') });
    const second = await add({ cwd: place('second') });
    const where = async () => {
      const { run, said } = await runOn(agent.id, issue);
      expect(run).toMatchObject({ status: 'succeeded', issueId: issue.id });
      return said;
    };
    expect(await where()).toBe(place('first'));
    await change(second, 'patch', { isPrimary: true }).expect(200);
    expect(await where()).toBe(place('second'));
    await change(second, 'patch', { cwd: place('first') }).expect(200);
    expect(await where()).toBe(place('first'));
    await change(first, 'patch', { cwd: place('second') }).expect(200);
    await change(second, 'delete').expect(204);
    expect(await where()).toBe(place('second'));
    await change(first, 'delete').expect(204);
    expect(await where()).toBe(place('adapter'));
  });

  it('equals the workspace’s directory even if the workspace has a repository, which is then not cloned', async () => {
    const { agent, issue, add } = await setUp({ cwd: place('adapter') });
    await add({ cwd: place('first'), repoUrl: 'https://10.0.0.1/acme/yard' });
    expect((await runOn(agent.id, issue)).said).toBe(place('first'));
  });

  it('makes the run fail with a reason if the repository is unavailable', async () => {
    const { agent, issue, add } = await setUp({ cwd: place('adapter') });
    await add({ repoUrl: 'https://10.0.0.1/acme/yard' });
    await add({ cwd: place('first') });
    const { run, said } = await runOn(agent.id, issue);
    expect(run).toMatchObject({ status: 'failed', errorCode: 'repository_address_refused' });
    expect(said).toBe('');
  });

  it('needs no preparation for an http agent', async () => {
    const { issue, add } = await setUp();
    await add({ repoUrl: 'https://10.0.0.1/acme/yard' });
    const config = { url: 'http://127.0.0.1:1/x' };
    const { companyId } = issue;
    const far = await harness.build.agent({
      companyId,
      adapterType: 'http',
      adapterConfig: config,
    });
    expect((await runOn(far.id, issue)).run.errorCode).toBe('http_unreachable');
  });

  it('must resolve to a path below WORKSPACE_ROOTS when the run starts, also through a link', async () => {
    const { agent, issue, add } = await setUp();
    const workspace = await add({ cwd: place('first') });
    await symlink(place('second'), place('first/link'));
    const linked = await setUp();
    await linked.add({ cwd: place('first/link') });
    const own = await setUp({ cwd: place('second') });
    const { repositories } = harness.config;
    repositories.workspaceRoots = [place('first')];
    try {
      expect((await runOn(agent.id, issue)).said).toBe(place('first'));
      for (const { agent: other, issue: on } of [linked, own]) {
        const { run } = await runOn(other.id, on);
        expect(run).toMatchObject({ status: 'failed', errorCode: 'cwd_not_allowed' });
      }
      const path = `/api/projects/${workspace.projectId}/workspaces/${workspace.id}`;
      for (const cwd of [place('second'), `${place('first')}/../second`, `${place('first')}2`]) {
        const { body } = await harness.api.patch(path).send({ cwd }).expect(422);
        expect(body).toMatchObject({ code: 'semantic_error', details: { field: 'cwd' } });
      }
      await harness.api
        .patch(path)
        .send({ cwd: place('first/deeper') })
        .expect(200);
    } finally {
      repositories.workspaceRoots = 'any';
    }
  });

  it('comes from the adapter configuration if the run has no issue or project', async () => {
    const { agent, add } = await setUp({ cwd: place('adapter') });
    await add({ cwd: place('first') });
    expect((await runOn(agent.id, null)).said).toBe(place('adapter'));
    const lone = await harness.build.issue({ companyId: agent.companyId });
    expect((await runOn(agent.id, lone)).said).toBe(place('adapter'));
  });

  it('defaults to a folder of the run, which is deleted afterwards if it is empty', async () => {
    const { agent, issue } = await setUp();
    const { run, said } = await runOn(agent.id, issue);
    expect(run.status).toBe('succeeded');
    const folder = runFolder(harness.config, run.id);
    expect(said).toBe(join(await realpath(harness.config.dataDir), 'runs', run.id));
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('defaults to a folder of the run, which is kept afterwards if it contains files', async () => {
    const { agent, issue } = await setUp({ args: ['-c', 'touch left; pwd -P'] });
    const { run } = await runOn(agent.id, issue);
    expect(await readdir(runFolder(harness.config, run.id))).toEqual(['left']);
  });

  it('makes the run fail with cwd_not_found and without a retry if it does not exist', async () => {
    const { agent, issue, add, change } = await setUp({ cwd: place('adapter') });
    const workspace = await add({ cwd: place('nowhere') });
    const { run, said } = await runOn(agent.id, issue);
    expect(run).toMatchObject({
      status: 'failed',
      errorCode: 'cwd_not_found',
      exitCode: null,
      attempt: 1,
    });
    expect(said).toBe('');
    const runs = await harness.db.heartbeatRun.count({ where: { agentId: agent.id } });
    expect(runs).toBe(1);
    await change(workspace, 'patch', { cwd: place('first') }).expect(200);
    expect(await runOn(agent.id, issue)).toMatchObject({
      run: { status: 'succeeded' },
      said: place('first'),
    });
  });
});
