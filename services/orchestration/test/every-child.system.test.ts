import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import type { Finding, HeartbeatRunView } from '@switchyard/types';
import { useAuthenticatedHarness } from './authenticated-harness';
import { startChecks } from './runner';

const STEERING = [
  ...['NODE_OPTIONS', 'LD_PRELOAD', 'PATH', 'HOME', 'PYTHONWARNINGS', 'BROWSER'],
  ...['GIT_PROXY_COMMAND', 'CLAUDE_CONFIG_DIR', 'npm_config_x_TOKEN'],
];

const ADAPTERS = ['process', 'model_a_local', 'model_b_local', 'model_c_local'];

describe('child processes that an agent’s configuration can start', () => {
  const settings = { config: {} } as NonNullable<Parameters<typeof useAuthenticatedHarness>[0]>;
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-children-')));
    program = join(folder, 'program');
    await writeFile(program, `#!/bin/sh\nenv >> ${folder}/started\necho 1.2.3\n`);
    await chmod(program, 0o755);
    const tool = { command: program, configured: [] };
    Object.assign(settings.config as object, {
      processAdapterCommands: [program],
      models: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
    });
  });
  const harness = useAuthenticatedHarness(
    Object.assign(settings, { context: { context: { adapters: undefined } } }),
  );
  let checks: { close(): Promise<void> };
  beforeAll(() => {
    checks = startChecks(harness.context);
  });
  afterEach(() => rm(join(folder, 'started'), { force: true }));
  afterAll(async () => {
    await checks?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const started = () => readFile(join(folder, 'started'), 'utf8').catch(() => null);
  const configOf = (adapterType: string) => (adapterType === 'process' ? { command: program } : {});

  /**
   * Stores an agent that the API would now reject, because the operator restricted the settings
   * later.
   */
  const storedAgent = async (companyId: string, adapterType: string, env: object) => {
    const body = { companyId, adapterType, adapterConfig: configOf(adapterType) };
    const agent = await harness.build.agent(body);
    const adapterConfig = { ...configOf(adapterType), env: { ...env } };
    await harness.db.agent.update({ where: { id: agent.id }, data: { adapterConfig } });
    return agent.id;
  };
  const check = async (agentId: string) => {
    const { body } = await harness.founding.post(`/api/agents/${agentId}/check`).expect(200);
    return body as Finding[];
  };
  const run = async (agentId: string, body: object = {}) => {
    const { body: queued } = await harness.founding
      .post(`/api/agents/${agentId}/heartbeat/invoke`)
      .send(body)
      .expect(202);
    await harness.drain();
    const { id } = queued as HeartbeatRunView;
    return harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
  };

  it('have an empty working directory and an empty HOME when they list models, and lose both afterwards', async () => {
    const company = await harness.build.company();
    await harness.founding
      .get(`/api/companies/${company.id}/adapters/model_c_local/models`)
      .expect(200);
    const seen = (await started()) ?? '';
    const [, home] = /^HOME=(.*)$/m.exec(seen) ?? [];
    const [, cwd] = /^PWD=(.*)$/m.exec(seen) ?? [];
    const root = join(await realpath(harness.config.dataDir), 'discovery');
    expect(cwd?.startsWith(`${root}/`)).toBe(true);
    expect(home?.startsWith(`${root}/`)).toBe(true);
    await expect(stat(cwd as string)).rejects.toThrow('ENOENT');
    expect(seen).not.toContain(`HOME=${process.env.HOME}\n`);
  });

  it.each(ADAPTERS)(
    'do not start if env sets a forbidden variable, in a run or in a check (%s)',
    async (adapterType) => {
      const company = await harness.build.company();
      for (const name of STEERING) {
        const agentId = await storedAgent(company.id, adapterType, { [name]: '/canary' });
        const findings = await check(agentId);
        expect([name, findings.find(({ code }) => code === 'variable_not_allowed')]).toEqual([
          name,
          expect.objectContaining({
            level: 'error',
            message: expect.stringMatching(new RegExp(`^${name} .*AGENT_VARIABLES`)),
          }),
        ]);
        expect(findings.map(({ code }) => code)).not.toContain('executable_found');
        const ended = await run(agentId);
        expect([name, ended.status, ended.errorCode]).toEqual([
          name,
          'failed',
          'variable_not_allowed',
        ]);
        expect(ended.error).toContain('AGENT_VARIABLES');
        expect(await started()).toBeNull();
      }
    },
  );

  it.each(ADAPTERS)(
    'do not start if env sets a forbidden variable to a secret (%s)',
    async (adapterType) => {
      const company = await harness.build.company();
      const secret = await harness.build.secret({ companyId: company.id, value: '--import=x' });
      const reference = { type: 'secret_ref', secretId: secret.id, version: 'latest' };
      const agentId = await storedAgent(company.id, adapterType, { NODE_OPTIONS: reference });
      expect((await check(agentId)).map(({ code }) => code)).toContain('variable_not_allowed');
      expect((await run(agentId)).errorCode).toBe('variable_not_allowed');
      expect(await started()).toBeNull();
    },
  );

  it('do not start if env sets a forbidden variable, even in a company that a viewer of another company has created', async () => {
    const acme = await harness.build.company();
    const viewer = harness.as(await harness.operator(acme.id, 'viewer'));
    const founded = await viewer.post('/api/companies').send({ name: 'Mine' });
    expect([201, 403]).toContain(founded.status);
    if (founded.status === 403) return;
    const steered = { name: 'Eve', adapterType: 'model_a_local' };
    const path = `/api/companies/${founded.body.id}/agents`;
    const env = { NODE_OPTIONS: '--import=data:text/javascript;base64,eA==' };
    const refused = await viewer
      .post(path)
      .send({ ...steered, adapterConfig: { env } })
      .expect(400);
    expect(refused.body.details[0].path).toEqual(['adapterConfig', 'env', 'NODE_OPTIONS']);
    const { body: agent } = await viewer.post(path).send(steered).expect(201);
    await harness.db.agent.update({ where: { id: agent.id }, data: { adapterConfig: { env } } });
    const { body } = await viewer.post(`/api/agents/${agent.id}/check`).expect(200);
    expect((body as Finding[]).map(({ code }) => code)).toContain('variable_not_allowed');
    expect(await started()).toBeNull();
  });

  it.each(ADAPTERS)(
    'receive the allowed variables and the HOME of the agent (%s)',
    async (adapterType) => {
      const company = await harness.build.company();
      const env = { ANTHROPIC_API_KEY: 'k', GITHUB_TOKEN: 't', AGENT_MOOD: 'good' };
      const agentId = await storedAgent(company.id, adapterType, env);
      const home = join(harness.config.dataDir, 'homes', company.id, agentId);
      await run(agentId);
      const seen = await started();
      for (const [name, value] of Object.entries({ ...env, HOME: home })) {
        expect(seen).toContain(`${name}=${value}\n`);
      }
      expect((await stat(home)).mode & 0o777).toBe(0o700);
      await rm(join(folder, 'started'));
      await check(agentId);
      if (adapterType !== 'process') expect(await started()).toContain(`HOME=${home}\n`);
    },
  );

  it('receive none of the agent’s variables if the program is git, in a run or in a check', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git'), `#!/bin/sh\nenv >> ${folder}/git\nexit 1\n`, { mode: 0o755 });
    const { inherited, repositories } = harness.config;
    const before = inherited.PATH;
    repositories.allowedHosts.push('127.0.0.1');
    inherited.PATH = `${bin}:${before}`;
    try {
      const { id: companyId } = await harness.build.company();
      const project = await harness.build.project({ companyId });
      await harness.founding
        .post(`/api/projects/${project.id}/workspaces`)
        .send({ repoUrl: 'https://127.0.0.1:1/acme/yard' })
        .expect(201);
      const issue = await harness.build.issue({ companyId, projectId: project.id, status: 'todo' });
      const env = Object.fromEntries(STEERING.map((name) => [name, '/canary']));
      const agentId = await storedAgent(companyId, 'process', env);
      await check(agentId);
      await run(agentId, { issueId: issue.id });
      const seen = await readFile(join(folder, 'git'), 'utf8');
      expect(seen.match(/^SERVICE_RUN_ID=/gm)).toHaveLength(2);
      expect(seen).not.toContain('canary');
      expect(seen).not.toContain(`HOME=${process.env.HOME}\n`);
      expect(await started()).toBeNull();
    } finally {
      inherited.PATH = before as string;
      repositories.allowedHosts.pop();
    }
  });

  it('cannot receive a forbidden variable, because the API rejects the configuration with an error that names the variable', async () => {
    const company = await harness.build.company();
    const agent = await harness.build.agent({
      companyId: company.id,
      adapterType: 'model_a_local',
    });
    const before = await harness.db.agent.findUniqueOrThrow({ where: { id: agent.id } });
    for (const name of ['NODE_OPTIONS', 'HOME', 'npm_config_x_TOKEN']) {
      const reference = { type: 'secret_ref', secretId: newId() };
      for (const value of ['x', reference]) {
        const adapterConfig = { env: { OPENAI_API_KEY: 'k', [name]: value } };
        const { body } = await harness.founding
          .patch(`/api/agents/${agent.id}`)
          .send({ adapterConfig })
          .expect(400);
        expect(body).toMatchObject({ code: 'validation_error' });
        expect(body.details).toEqual([
          expect.objectContaining({
            path: ['adapterConfig', 'env', name],
            code: 'variable_not_allowed',
            message: expect.stringContaining('AGENT_VARIABLES'),
          }),
        ]);
      }
    }
    expect(await harness.db.agent.findUniqueOrThrow({ where: { id: agent.id } })).toEqual(before);
    const kept = harness.founding.patch(`/api/agents/${agent.id}`);
    await kept.send({ adapterConfig: { env: { OPENAI_API_KEY: 'k' } } }).expect(200);
    const [revision] = await harness.db.agentConfigRevision.findMany({
      where: { agentId: agent.id },
    });
    const after = { ...(revision?.after as object), adapterConfig: { env: { HOME: '/x' } } };
    const id = revision?.id as string;
    await harness.db.agentConfigRevision.update({ where: { id }, data: { after } });
    const refused = await harness.founding
      .post(`/api/agents/${agent.id}/config-revisions/${id}/rollback`)
      .expect(422);
    expect(refused.body.details).toMatchObject([{ path: ['adapterConfig', 'env', 'HOME'] }]);
    // Remote agents receive their variables in a request body, so the variables cannot affect our
    // processes.
    const remote = { url: 'https://example.com', env: { NODE_OPTIONS: 'x' } };
    await harness.build.agent({
      companyId: company.id,
      adapterType: 'http',
      adapterConfig: remote,
    });
  });
});
