import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasGit, sayWhetherTried, startGitServer } from '@switchyard/runner/test/git-server';
import type { Finding, WorkspaceView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { startChecks } from '../../../test/runner';

const TOKEN = 'canary-token-of-a-repository';
const WRONG = 'canary-token-that-is-refused';

describe('POST /api/projects/:projectId/workspaces/:workspaceId/check', () => {
  const harness = useHarness();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tested-workspace-')));
  let checks: { close(): Promise<void> };
  beforeAll(() => {
    checks = startChecks(harness.context);
  });
  afterAll(async () => {
    await checks.close();
    rmSync(folder, { recursive: true });
  });

  const setUp = async (workspace: object, token?: string) => {
    const { build, api } = harness;
    const adapterConfig = { command: 'true' };
    const agent = await build.agent({ adapterType: 'process', adapterConfig });
    const { companyId } = agent;
    const project = await build.project({ companyId });
    const secret = token ? await build.secret({ companyId, value: token }) : null;
    const repoCredential = secret && { type: 'secret_ref', secretId: secret.id };
    const path = `/api/projects/${project.id}/workspaces`;
    const { body } = await api
      .post(path)
      .send({ ...workspace, repoCredential })
      .expect(201);
    return { agent, project, path: `${path}/${(body as WorkspaceView).id}/check` };
  };
  const check = async (path: string, body: object = {}): Promise<Finding[]> =>
    (await harness.api.post(path).send(body).expect(200)).body;
  const codes = (findings: Finding[]) => findings.map(({ level, code }) => `${level} ${code}`);
  const codesOf = async (workspace: object, token?: string) =>
    codes(await check((await setUp(workspace, token)).path));

  it('applies the same folder rules as a run, and records the check', async () => {
    const { path } = await setUp({ cwd: folder });
    expect(codes(await check(path))).toEqual(['ok checked_on', 'ok cwd_usable']);
    expect(await harness.db.agentCheck.count()).toBe(0);
    const records = await harness.db.activity.findMany({ where: { action: 'workspace.checked' } });
    expect(records).toMatchObject([{ details: { problems: [] } }]);
    const missing = await check((await setUp({ cwd: join(folder, 'nowhere') })).path);
    expect(missing[1]).toMatchObject({ code: 'cwd_not_found' });
    expect(missing[1]?.message).toContain('create the folder');
    expect(await codesOf({ cwd: '/etc' })).toEqual(['ok checked_on', 'error cwd_not_allowed']);
    const both = { cwd: folder, repoUrl: 'https://127.0.0.1:1/a/b' };
    expect(await codesOf(both)).toContain('warning repository_unused');
  });

  it('reports an address that runs are not allowed to access', async () => {
    const metadata = await codesOf({ repoUrl: 'https://169.254.169.254/a/b' });
    expect(metadata[1]).toBe('error repository_address_refused');
  });

  it('requires an agent that runs on a runner, and uses the agent named in the body', async () => {
    const { build, api } = harness;
    const { path, agent } = await setUp({ cwd: folder });
    expect(codes(await check(path, { agentId: agent.id }))).toContain('ok cwd_usable');
    const { companyId } = agent;
    const http = { adapterType: 'http', adapterConfig: { url: 'http://127.0.0.1:1/x' } };
    const remote = await build.agent({ companyId, ...http });
    expect(codes(await check(path, { agentId: remote.id }))).toEqual(['error no_agent']);
    const stranger = await build.agent();
    const foreign = await api.post(path).send({ agentId: stranger.id }).expect(403);
    expect(foreign.body).toMatchObject({ code: 'cross_company' });
    const unknown = await api.post(path).send({ agentId: crypto.randomUUID() }).expect(422);
    expect(unknown.body).toMatchObject({ code: 'unknown_reference' });
    await api.post(path).send({ agentId: 'x' }).expect(400);
    await api.post(path).send({ url: 'https://example.com' }).expect(400);
    expect(await harness.db.agentCheck.count()).toBe(0);
  });

  it('returns 404 for a missing workspace and 403 to an agent', async () => {
    const { path, project } = await setUp({ cwd: folder });
    const { authorization } = await harness.build.liveRun({ companyId: project.companyId });
    const elsewhere = await harness.build.project();
    await harness.api.post(path).set('Authorization', authorization).send({}).expect(403);
    await harness.api.post(path.replace(project.id, elsewhere.id)).send({}).expect(404);
    const gone = `/api/projects/${project.id}/workspaces/${crypto.randomUUID()}/check`;
    await harness.api.post(gone).send({}).expect(404);
  });

  const withGit = hasGit();

  sayWhetherTried('git', withGit);

  if (!withGit) return;

  let server: Awaited<ReturnType<typeof startGitServer>>;
  beforeAll(async () => {
    server = await startGitServer();
    harness.config.repositories.caFile = server.caFile;
    await checks.close();
    checks = startChecks(harness.context);
    server.create('open');
    server.create('closed');
    const authorized = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    server.control.intercept = ({ url, headers }, response) => {
      if (!url?.startsWith('/closed') || headers.authorization === authorized) return false;
      response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end(headers.authorization);
      return true;
    };
  });
  afterAll(() => server.close());

  it('finds the reference in the repository without a clone, even for concurrent requests', async () => {
    const { path } = await setUp({ repoUrl: server.url('open'), repoRef: 'main' });
    const before = server.seen.length;
    const all = await Promise.all(Array.from({ length: 4 }, () => check(path)));
    for (const findings of all) {
      expect(codes(findings)).toEqual([
        'ok checked_on',
        'ok repository_opened',
        'ok repository_ref_found',
      ]);
    }
    const paths = server.seen.slice(before).map(({ path: asked }) => asked);
    expect(paths.some((asked) => asked.includes('upload-pack'))).toBe(true);
    const repositories = join(harness.config.dataDir, 'repositories');
    expect(readdirSync(repositories)).toEqual(['looks']);
    expect(readdirSync(join(repositories, 'looks'))).toEqual([]);
  });

  it('reports a missing reference, and warns about a commit that the host does not advertise', async () => {
    const repoUrl = server.url('open');
    const missing = await check((await setUp({ repoUrl, repoRef: 'nowhere' })).path);
    expect(codes(missing)).toEqual(['ok checked_on', 'error repository_ref_unknown']);
    expect(missing[1]?.message).toContain('correct the branch, tag or commit');
    const commit = 'a'.repeat(40);
    expect(await codesOf({ repoUrl, repoRef: commit })).toContain(
      'warning repository_ref_unlisted',
    );
  });

  it('uses the credential of the workspace, but never returns it', async () => {
    const repoUrl = server.url('closed');
    expect(await codesOf({ repoUrl }, TOKEN)).toContain('ok repository_ref_found');
    for (const token of [undefined, WRONG]) {
      const findings = await check((await setUp({ repoUrl }, token)).path);
      expect(codes(findings)).toEqual(['ok checked_on', 'error repository_auth']);
      expect(findings[1]?.message).toContain('choose a secret');
      const shown = JSON.stringify(findings);
      for (const secret of [WRONG, Buffer.from(`x-access-token:${WRONG}`).toString('base64')]) {
        expect(shown).not.toContain(secret);
      }
    }
    const key = await codesOf({ repoUrl }, '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n');
    expect(key).toEqual(['ok checked_on', 'error repository_credential']);
  });

  it('reports a host that refuses the connection, and a secret that cannot be decrypted', async () => {
    expect(await codesOf({ repoUrl: 'https://127.0.0.1:1/a/b' })).toEqual([
      'ok checked_on',
      'error repository_unreachable',
    ]);
    const { path, agent } = await setUp({ repoUrl: server.url('closed') }, TOKEN);
    await harness.db.secretVersion.updateMany({
      where: { secret: { companyId: agent.companyId } },
      data: { ciphertext: Buffer.from('garbled') },
    });
    expect(codes(await check(path))).toContain('error secret_unavailable');
  });
});
