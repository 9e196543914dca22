import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasGit, sayWhetherTried, startGitServer } from '@switchyard/runner/test/git-server';
import type { HeartbeatRunView, WorkspaceView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

const TOKEN = 'canary-token-of-a-repository';
const SAY = { command: '/bin/sh', args: ['-c', 'pwd -P; cat README.md; env'] };

const withGit = hasGit();

describe('a run in a repository', () => {
  const harness = useHarness();
  const emptyPath = mkdtempSync(join(tmpdir(), 'no-programs-'));
  afterAll(() => rmSync(emptyPath, { recursive: true }));

  const setUp = async (workspace: object, companyId?: string) => {
    const { build } = harness;
    const agent = await build.agent({ companyId, adapterType: 'process', adapterConfig: SAY });
    const project = await build.project({ companyId: agent.companyId });
    const of = { companyId: agent.companyId, projectId: project.id, status: 'todo' as const };
    const issue = await build.issue(of);
    const path = `/api/projects/${project.id}/workspaces`;
    const { body } = await harness.api.post(path).send(workspace).expect(201);
    return { agent, project, issue, path, workspace: body as WorkspaceView };
  };
  const runOn = async (...pairs: { agentId: string; issueId: string }[]) => {
    const queued = await Promise.all(
      pairs.map(({ agentId, issueId }) => harness.build.queuedRun(agentId, { issueId })),
    );
    await harness.drain();
    return Promise.all(
      queued.map(async ({ id }) => {
        const path = `/api/heartbeat-runs/${id}`;
        const run = (await harness.api.get(path).expect(200)).body as HeartbeatRunView;
        const log = await harness.api.get(`${path}/log`).expect(200);
        return { run, log: log.body.content as string };
      }),
    );
  };

  it('fails permanently with an error code if git is not installed', async () => {
    const { agent, issue } = await setUp({ repoUrl: 'https://127.0.0.1:1/acme/yard' });
    const { inherited } = harness.config;
    const before = inherited.PATH;
    inherited.PATH = emptyPath;
    try {
      const [ended] = await runOn({ agentId: agent.id, issueId: issue.id });
      expect(ended?.run).toMatchObject({ status: 'failed', errorCode: 'git_missing', attempt: 1 });
      expect(await harness.db.heartbeatRun.count({ where: { agentId: agent.id } })).toBe(1);
    } finally {
      inherited.PATH = before as string;
    }
  });

  sayWhetherTried('git', withGit);

  if (!withGit) return;

  let server: Awaited<ReturnType<typeof startGitServer>>;
  beforeAll(async () => {
    server = await startGitServer();
    harness.config.repositories.caFile = server.caFile;
  });
  afterAll(() => server.close());

  it('has a separate worktree per agent, and shares one cache with concurrent runs', async () => {
    server.create('shared');
    const { agent, issue, project } = await setUp({
      repoUrl: server.url('shared'),
      repoRef: 'main',
    });
    const { companyId } = agent;
    const other = await harness.build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: SAY,
    });
    const second = await harness.build.issue({ companyId, projectId: project.id, status: 'todo' });
    const ended = await runOn(
      { agentId: agent.id, issueId: issue.id },
      { agentId: other.id, issueId: second.id },
    );
    expect(ended.map(({ run }) => run.status)).toEqual(['succeeded', 'succeeded']);
    const root = join(realpathSync(harness.config.dataDir), 'repositories', project.id);
    const folders = ended.map(({ log }) => /^\/.*$/m.exec(log)?.[0]);
    for (const [at, { id }] of [agent, other].entries()) {
      expect(folders[at]?.startsWith(root)).toBe(true);
      expect(folders[at]?.endsWith(`/agents/${id}`)).toBe(true);
      expect(ended[at]?.log).toContain('shared\n');
      expect(ended[at]?.log).not.toMatch(/GIT_(?!CONFIG_(COUNT|KEY_\d+|VALUE_\d+)=)/);
      expect(ended[at]?.log).not.toContain('protocol.allow');
    }
    const said = ended.map(({ log }) => log.split('\n')[0]).join('\n');
    expect(said.match(/fetched/g)).toHaveLength(1);
    expect(said.match(/from the cache/g)).toHaveLength(1);
  });

  it('uses a secret without a trace in logs, rows and responses, and cannot send it to another host', async () => {
    server.create('closed');
    const expected = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    server.control.intercept = (request, response) => {
      if (request.headers.authorization === expected) return false;
      response.writeHead(401).end();
      return true;
    };
    const { id: companyId } = await harness.build.company();
    const secret = await harness.build.secret({ companyId, value: TOKEN });
    const repoCredential = { type: 'secret_ref', secretId: secret.id };
    const made = await setUp({ repoUrl: server.url('closed'), repoCredential }, companyId);
    expect(made.workspace.repoCredential).toEqual({ ...repoCredential, version: 'latest' });
    const { agent, issue, path, workspace } = made;
    const [ended] = await runOn({ agentId: agent.id, issueId: issue.id });
    expect(ended?.run.status).toBe('succeeded');
    expect(ended?.log).toContain('closed\n');
    for (const canary of [TOKEN, expected.slice(6)]) expect(ended?.log).not.toContain(canary);

    const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
    server.control.intercept = (request, response) => {
      response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
      const echoed = `ERR you sent ${request.headers.authorization}`;
      response.end(`${packet('# service=git-upload-pack\n')}0000${packet(echoed)}`);
      return true;
    };
    const [echoed] = await runOn({ agentId: agent.id, issueId: issue.id });
    expect(echoed?.run).toMatchObject({ status: 'failed', errorCode: 'repository_failed' });
    expect(echoed?.run.error).toContain('you sent ***');

    const key = await harness.build.apiKey(agent.id);
    const at = `${path}/${workspace.id}`;
    const asAgent = (body: object) => harness.api.patch(at).set('Authorization', key).send(body);
    for (const body of [
      { repoUrl: 'https://evil.example/x' },
      { repoUrl: null, cwd: '/srv' },
      { repoCredential },
      { repoCredential: null },
    ]) {
      expect((await asAgent(body).expect(403)).body).toMatchObject({ code: 'board_only' });
    }
    const added = harness.api.post(path).set('Authorization', key);
    await added.send({ repoUrl: 'https://evil.example/x', repoCredential }).expect(403);
    await asAgent({ repoRef: 'main', name: 'Yard', repoUrl: server.url('closed') }).expect(200);
    server.control.intercept = () => false;
  });

  it('cannot use another company’s cache, or a private cache without the credential', async () => {
    server.create('walled');
    const expected = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    const asked: (string | undefined)[] = [];
    server.control.intercept = (request, response) => {
      asked.push(request.headers.authorization);
      if (request.headers.authorization === expected) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
    const { id: companyId } = await harness.build.company();
    const secret = await harness.build.secret({ companyId, value: TOKEN });
    const repoUrl = server.url('walled');
    const repoCredential = { type: 'secret_ref', secretId: secret.id };
    const owner = await setUp({ repoUrl, repoCredential }, companyId);
    const stranger = await setUp({ repoUrl });
    const pairOf = ({ agent, issue }: typeof owner) => ({ agentId: agent.id, issueId: issue.id });
    const [opened] = await runOn(pairOf(owner));
    expect(opened?.run.status).toBe('succeeded');
    asked.length = 0;
    const [refused] = await runOn(pairOf(stranger));
    expect(refused?.run).toMatchObject({ status: 'failed', errorCode: 'repository_auth' });
    expect(refused?.log).not.toContain('walled\n');
    expect(new Set(asked)).toEqual(new Set([undefined]));
    await harness.api
      .patch(`${owner.path}/${owner.workspace.id}`)
      .send({ repoCredential: null })
      .expect(200);
    const [closed] = await runOn(pairOf(owner));
    expect(closed?.run).toMatchObject({ status: 'failed', errorCode: 'repository_auth' });
    const root = join(harness.config.dataDir, 'repositories');
    const packs = (projectId: string) =>
      readdirSync(join(root, projectId), { recursive: true }).filter((path) =>
        String(path).endsWith('.pack'),
      );
    expect(packs(owner.project.id)).toHaveLength(1);
    expect(packs(stranger.project.id)).toEqual([]);
    server.control.intercept = () => false;
  });

  it('cannot use an unknown credential, another company’s credential, or a credential without a repository', async () => {
    const { path, workspace, agent } = await setUp({ repoUrl: 'https://example.com/x' });
    const own = await harness.build.secret({ companyId: agent.companyId });
    const foreign = await harness.build.secret({});
    const patch = (body: object) => harness.api.patch(`${path}/${workspace.id}`).send(body);
    const reference = (secretId: string, version?: number) => ({
      repoCredential: { type: 'secret_ref', secretId, ...(version && { version }) },
    });
    expect((await patch(reference(foreign.id)).expect(403)).body.code).toBe('cross_company');
    expect((await patch(reference(agent.id)).expect(422)).body.code).toBe('unknown_reference');
    expect((await patch(reference(own.id, 2)).expect(422)).body.code).toBe('unknown_reference');
    await patch({ repoUrl: null, cwd: '/srv', ...reference(own.id) }).expect(422);
    const { body } = await patch(reference(own.id, 1)).expect(200);
    expect(body.repoCredential).toMatchObject({ secretId: own.id, version: 1 });
    await patch({ repoUrl: null, cwd: '/srv' }).expect(422);
    await patch({ repoUrl: 'ssh://git@example.com/x' }).expect(200);
    expect((await patch({ repoCredential: null }).expect(200)).body.repoCredential).toBeNull();
    await patch({ repoUrl: 'git@example.com:x', ...reference(own.id) }).expect(200);
  });

  it('fails permanently if the git reference is unknown, but is retried if the host is unreachable', async () => {
    server.create('typed');
    const bad = await setUp({ repoUrl: server.url('typed'), repoRef: 'nowhere' });
    const away = await setUp({ repoUrl: 'https://127.0.0.1:1/x' });
    const [one, two] = await runOn(
      { agentId: bad.agent.id, issueId: bad.issue.id },
      { agentId: away.agent.id, issueId: away.issue.id },
    );
    expect(one?.run).toMatchObject({ status: 'failed', errorCode: 'repository_ref_unknown' });
    expect(two?.run).toMatchObject({ status: 'failed', errorCode: 'repository_unreachable' });
    const retries = (agentId: string) =>
      harness.db.heartbeatRun.count({ where: { agentId, source: 'retry' } });
    expect(await retries(bad.agent.id)).toBe(0);
    expect(await retries(away.agent.id)).toBe(1);
  });

  it('keeps uncommitted changes for the agent’s next run', async () => {
    server.create('kept');
    const { agent, issue } = await setUp({ repoUrl: server.url('kept') });
    const pair = { agentId: agent.id, issueId: issue.id };
    const [first] = await runOn(pair);
    const folder = /^\/.*$/m.exec(first?.log ?? '')?.[0] as string;
    writeFileSync(join(folder, 'README.md'), 'a draft\n');
    server.commit('kept', { 'README.md': 'newer\n' });
    const [second] = await runOn(pair);
    expect(second?.log).toContain('a draft\n');
    expect(second?.log).toContain('not changed: it has uncommitted changes');
  });
});
