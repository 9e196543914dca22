import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { hasGit, sayWhetherTried } from '@switchyard/runner/test/git-server';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';

const SSH = ['ssh://git@1.1.1.1/acme/yard', 'git@1.1.1.1:acme/yard'];

const TELLING_SSH = `#!/bin/sh
for word in "$@"; do
  case $word in IdentityFile=*) file=$(echo "$word" | cut -d'"' -f2) ;; esac
done
said="ERR the key is $(sed -n 2p "$file")"
printf '%04x%s' $((\${#said} + 4)) "$said"
`;

describe('workspaces with SSH repositories in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  const setUp = async () => {
    const project = await harness.build.project({});
    const { companyId } = project;
    const secret = await harness.build.secret({ companyId });
    const repoCredential = { type: 'secret_ref', secretId: secret.id };
    return { project, path: `/api/projects/${project.id}/workspaces`, repoCredential };
  };
  const refuses = async (call: { send(body: object): PromiseLike<unknown> }, body: object) => {
    const before = await everything(harness);
    const answer = (await call.send(body)) as { status: number; body: object };
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'semantic_error', details: { field: 'repoCredential' } },
    ]);
    expect(await everything(harness)).toEqual(before);
  };

  it('require a key of the company on create and update', async () => {
    const { founding } = harness;
    const { project, path, repoCredential } = await setUp();
    const projects = `/api/companies/${project.companyId}/projects`;
    const { body: plain } = await founding
      .post(path)
      .send({ repoUrl: 'https://example.com/yard' })
      .expect(201);
    for (const repoUrl of SSH) {
      await refuses(founding.post(path), { repoUrl });
      await refuses(founding.post(projects), { name: 'X', workspace: { repoUrl } });
      await refuses(founding.patch(`${path}/${plain.id}`), { repoUrl });
      const { body } = await founding.post(path).send({ repoUrl, repoCredential }).expect(201);
      expect(body).toMatchObject({ repoUrl, repoCredential });
      await refuses(founding.patch(`${path}/${body.id}`), { repoCredential: null });
      await founding.patch(`${path}/${body.id}`).send({ repoRef: 'main' }).expect(200);
    }
  });

  it('require no key while they have a directory, which cannot be removed without a key', async () => {
    const { founding } = harness;
    const { path, repoCredential } = await setUp();
    const noted = { repoUrl: SSH[0], cwd: '/srv/yard' };
    const { body } = await founding.post(path).send(noted).expect(201);
    const at = `${path}/${body.id}`;
    await refuses(founding.patch(at), { cwd: null });
    await founding.patch(at).send({ cwd: null, repoCredential }).expect(200);
  });

  it('keep either the directory or the key if two concurrent updates each remove one of them', async () => {
    const { founding, db } = harness;
    const { path, repoCredential } = await setUp();
    for (let round = 0; round < 5; round++) {
      const whole = { repoUrl: SSH[0], cwd: '/srv/yard', repoCredential };
      const { body } = await founding.post(path).send(whole).expect(201);
      const at = `${path}/${body.id}`;
      const answers = await Promise.all([
        founding.patch(at).send({ cwd: null }),
        founding.patch(at).send({ repoCredential: null }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      const left = await db.workspace.findUniqueOrThrow({ where: { id: body.id } });
      expect([left.cwd, left.repoSecretId].filter((value) => value === null)).toHaveLength(1);
    }
  });

  it('cannot be created by an agent, with or without a key', async () => {
    const { project, path, repoCredential } = await setUp();
    const { authorization } = await harness.build.liveRun({ companyId: project.companyId });
    const asAgent = () => harness.api.post(path).set('Authorization', authorization);
    await refuses(asAgent(), { repoUrl: SSH[0] });
    const { body } = await asAgent().send({ repoUrl: SSH[0], repoCredential }).expect(403);
    expect(body).toMatchObject({ code: 'board_only', details: { field: 'repoCredential' } });
  });

  it('make the run fail if they were stored without a key, but can still be renamed', async () => {
    const { founding, db, build } = harness;
    const { project, path, repoCredential } = await setUp();
    const { companyId, id: projectId } = project;
    const { body } = await founding
      .post(path)
      .send({ repoUrl: SSH[0], repoCredential })
      .expect(201);
    await db.workspace.update({ where: { id: body.id }, data: { repoSecretId: null } });
    await founding.patch(`${path}/${body.id}`).send({ name: 'Old' }).expect(200);
    const adapterConfig = { command: 'true' };
    const agent = await build.agent({ companyId, adapterType: 'process', adapterConfig });
    const issue = await build.issue({ companyId, projectId, status: 'todo' });
    const { id } = await build.queuedRun(agent.id, { issueId: issue.id });
    await harness.drain();
    const { body: run } = await founding.get(`/api/heartbeat-runs/${id}`).expect(200);
    expect(run).toMatchObject({ status: 'failed', errorCode: 'repository_credential', attempt: 1 });
  });

  const withGit = hasGit();

  sayWhetherTried('git', withGit);

  if (!withGit) return;

  it('use the current value of the secret, which appears in no row, log or response', async () => {
    const { founding, db, build } = harness;
    const { project, path, repoCredential } = await setUp();
    const { companyId, id: projectId } = project;
    const value = generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    await founding.patch(`/api/secrets/${repoCredential.secretId}`).send({ value }).expect(200);
    await founding.post(path).send({ repoUrl: SSH[0], repoCredential }).expect(201);
    const adapterConfig = { command: 'true' };
    const agent = await build.agent({ companyId, adapterType: 'process', adapterConfig });
    const issue = await build.issue({ companyId, projectId, status: 'todo' });
    const { id } = await build.queuedRun(agent.id, { issueId: issue.id });
    const bin = mkdtempSync(join(tmpdir(), 'telling-ssh-'));
    writeFileSync(join(bin, 'ssh'), TELLING_SSH, { mode: 0o755 });
    const { inherited } = harness.config;
    const before = inherited.PATH;
    inherited.PATH = `${bin}:${before}`;
    try {
      await harness.drain();
    } finally {
      inherited.PATH = before as string;
      rmSync(bin, { recursive: true });
    }
    const { body: run } = await founding.get(`/api/heartbeat-runs/${id}`).expect(200);
    expect(run).toMatchObject({ status: 'failed', errorCode: 'repository_failed' });
    expect(run.error).toContain('the key is ***');
    const line = value.split('\n')[1] as string;
    const rows = [await db.heartbeatRun.findMany(), await db.activity.findMany()];
    expect(inspect(rows, { depth: null })).not.toContain(line);
    const log = await founding.get(`/api/heartbeat-runs/${id}/log`).expect(200);
    expect(log.body.content).not.toContain(line);
  });
});
