import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@switchyard/testing';
import type { Finding } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { startChecks, waitForTaker } from '../../../test/runner';
import { forgetChecks } from './claim-checks';
import { startDiagnoses } from './run-diagnoses';

const CANARY = 'canary-value-of-a-secret';

describe('POST /api/agents/{agentId}/check', () => {
  const harness = useHarness();
  let root: string;
  let server: Server;
  let port: number;
  let checks: { close(): Promise<void> } | null = null;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-checks-')));
    server = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ({ port } = server.address() as { port: number });
  });
  afterEach(async () => {
    await checks?.close();
    checks = null;
  });
  afterAll(async () => {
    await new Promise((done) => server.close(done));
    await rm(root, { recursive: true, force: true });
  });

  const check = async (agentId: string): Promise<Finding[]> => {
    checks ??= startChecks(harness.context);
    const { body } = await harness.api.post(`/api/agents/${agentId}/check`).send({}).expect(200);
    return body as Finding[];
  };
  const checkOf = async (adapterType: string, adapterConfig: object) => {
    const agent = await harness.build.agent({ adapterType, adapterConfig: { ...adapterConfig } });
    return check(agent.id);
  };
  const codes = (findings: Finding[]) => findings.map(({ level, code }) => `${level} ${code}`);

  it('names the runner that performed the check, and leaves only an activity in the database', async () => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'node', cwd: root },
    });
    const findings = await check(agent.id);
    expect(findings[0]).toMatchObject({
      level: 'ok',
      code: 'checked_on',
      details: { process: 'runner', host: hostname() },
    });
    expect(codes(findings)).toEqual([
      'ok checked_on',
      'ok cwd_usable',
      'warning sandbox_off',
      'ok executable_found',
    ]);
    expect(await harness.db.agentCheck.count()).toBe(0);
    const activity = await harness.db.activity.findMany({ where: { action: 'agent.checked' } });
    expect(activity).toMatchObject([
      { entityId: agent.id, details: { problems: ['sandbox_off'] } },
    ]);
  });

  it('reports a missing worker if no process performs the check', async () => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'no-such-command' },
    });
    const { body } = await harness.api.post(`/api/agents/${agent.id}/check`).expect(200);
    expect(codes(body)).toEqual(['error no_worker']);
    expect(await harness.db.agentCheck.count()).toBe(0);
  });

  it('looks up commands in the same way as a run, without starting them', async () => {
    const program = join(root, 'program');
    await writeFile(program, `#!/bin/sh\ntouch ${root}/started\n`);
    const at = async (command: string, more: object = {}) =>
      codes(await checkOf('process', { command, ...more })).slice(3);
    expect(await at(program)).toEqual(['error command_not_found']);
    await chmod(program, 0o755);
    expect(await at(program)).toEqual(['ok executable_found']);
    expect(await at('./program', { cwd: root })).toEqual(['ok executable_found']);
    expect(await at('program')).toEqual(['error command_not_found']);
    expect(await at('program', { env: { PATH: root } })).toEqual(['ok executable_found']);
    expect(await at(root)).toEqual(['error command_not_found']);
    const whole = await checkOf('process', { command: 'python3 /srv/ada.py' });
    expect(whole.at(-1)?.message).toMatch(/put its arguments into `args`$/);
    await expect(realpath(join(root, 'started'))).rejects.toThrow('ENOENT');
  });

  it('reports a working directory that is missing, not a folder or not allowed', async () => {
    await mkdir(join(root, 'place'), { recursive: true });
    await writeFile(join(root, 'file'), '');
    const at = async (cwd?: string) =>
      codes(await checkOf('process', { command: 'node', ...(cwd && { cwd }) }))[1];
    expect(await at(join(root, 'place'))).toBe('ok cwd_usable');
    expect(await at(join(root, 'nowhere'))).toBe('error cwd_not_found');
    expect(await at(join(root, 'file'))).toBe('error cwd_not_found');
    expect(await at()).toBe('ok cwd_of_run');
    const { repositories } = harness.config;
    const before = repositories.workspaceRoots;
    await symlink('/etc', join(root, 'place', 'out')).catch(() => undefined);
    const make = (cwd: string) =>
      harness.build.agent({ adapterType: 'process', adapterConfig: { command: 'node', cwd } });
    const inside = await make(join(root, 'place'));
    const outside = [root, join(root, 'place', '..'), join(root, 'place', 'out')];
    const stored = await Promise.all(outside.map(make));
    repositories.workspaceRoots = [join(root, 'place')];
    try {
      expect(codes(await check(inside.id))[1]).toBe('ok cwd_usable');
      for (const { id } of stored) {
        expect(codes(await check(id))[1]).toBe('error cwd_not_allowed');
      }
    } finally {
      repositories.workspaceRoots = before;
    }
  });

  it('connects to the address of an http agent if the adapter may access the address', async () => {
    const at = async (url: string) => codes(await checkOf('http', { url })).slice(1);
    expect(await at(`http://127.0.0.1:${port}/x`)).toEqual(['ok address_reachable']);
    expect(await at('http://127.0.0.1:1/x')).toEqual(['error address_unreachable']);
    expect(await at('http://169.254.169.254/x')).toEqual(['error address_refused']);
    expect(await at('http://does-not-exist.invalid/x')).toEqual([
      expect.stringMatching(/^error (host_unknown|address_unreachable)$/),
    ]);
  });

  it('hides secrets in its findings, and reports a secret that cannot be decrypted', async () => {
    const { id: companyId } = await harness.build.company();
    const secret = await harness.build.secret({ companyId, value: CANARY });
    const reference = { type: 'secret_ref', secretId: secret.id, version: 'latest' };
    const agent = await harness.build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: { command: `/nowhere/${CANARY}/x`, env: { A: reference, PATH: `/${CANARY}` } },
    });
    const findings = await check(agent.id);
    expect(codes(findings)).toContain('error command_not_found');
    expect(JSON.stringify(findings)).not.toContain(CANARY);
    expect(JSON.stringify(findings)).toContain('***');
    await harness.db.secretVersion.updateMany({
      where: { secretId: secret.id },
      data: { ciphertext: Buffer.from('garbled') },
    });
    expect(codes(await check(agent.id))).toContain('error secret_unavailable');
  });

  it('reports an environment that is too large for a run', async () => {
    const { id: companyId } = await harness.build.company();
    const secrets = await Promise.all(
      Array.from({ length: 9 }, () =>
        harness.build.secret({ companyId, value: 'x'.repeat(8_000) }),
      ),
    );
    const env = Object.fromEntries(
      secrets.map(({ id: secretId }, at) => [`LONG_${at}`, { type: 'secret_ref', secretId }]),
    );
    const agent = await harness.build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: { command: 'node', env },
    });
    const findings = await check(agent.id);
    expect(codes(findings)).toEqual(['ok checked_on', 'error environment_too_large']);
  });

  it('reports an invalid stored configuration', async () => {
    const agent = await harness.build.agent();
    await harness.db.agent.update({
      where: { id: agent.id },
      data: { adapterType: 'process', adapterConfig: { command: 1 } },
    });
    expect(codes(await check(agent.id))).toEqual(['ok checked_on', 'error config_invalid']);
  });

  it('allows an agent to check only itself', async () => {
    const run = await harness.build.liveRun();
    const colleague = await harness.build.agent({ companyId: run.agent.companyId });
    const ask = (id: string) =>
      harness.api.post(`/api/agents/${id}/check`).set('Authorization', run.authorization);
    const before = await everything(harness);
    const { body } = await ask(colleague.id).expect(403);
    expect(body).toMatchObject({ code: 'not_own' });
    expect(await everything(harness)).toEqual(before);
    await ask(run.agent.id).expect(200);
  });

  const waitingOf = (agent: { id: string; companyId: string }, count: number) =>
    harness.db.agentCheck.createMany({
      data: Array.from({ length: count }, () => ({
        id: crypto.randomUUID(),
        companyId: agent.companyId,
        agentId: agent.id,
      })),
    });

  it('returns 503 if too many checks of a company are waiting, and deletes abandoned checks', async () => {
    const agent = await harness.build.agent();
    await waitingOf(agent, 8);
    const answer = await harness.api.post(`/api/agents/${agent.id}/check`).expect(503);
    expect(answer.body).toMatchObject({ code: 'unavailable' });
    const old = new Date(Date.now() - 180_000);
    await harness.db.agentCheck.updateMany({ data: { requestedAt: old } });
    await forgetChecks(harness.context);
    expect(await harness.db.agentCheck.count()).toBe(0);
  });

  it('alternates between companies when many checks are waiting', async () => {
    const [crowd, other] = [await harness.build.agent(), await harness.build.agent()];
    await waitingOf(crowd, 100);
    const config = { ...harness.config, sweepMs: 60_000 };
    const noLonger = waitForTaker(harness.config);
    checks = { close: async () => noLonger() };
    const asked = harness.api.post(`/api/agents/${other.id}/check`).send({}).expect(200);
    const answer = asked.then(({ body }) => body as Finding[]);
    const where = { agentId: other.id };
    await until('it waits', async () => (await harness.db.agentCheck.count({ where })) === 1);
    const diagnoses = startDiagnoses({ ...harness.context, config });
    checks = {
      close: () => {
        noLonger();
        return diagnoses.close();
      },
    };
    expect((await answer)[0]).toMatchObject({ code: 'checked_on' });
    await until(
      'all are served',
      async () => (await harness.db.agentCheck.count({ where: { claimedAt: null } })) === 0,
    );
  });
});
