import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFINEMENTS } from '../../../test/confinements';
import { listLiving } from '../../../test/living-processes';
import { recordRun } from '../../../test/recorded-run';
import { createStandIn, type StandIn } from '../../../test/stand-in-tool';
import type { ModelSettings } from '../../models/model-settings';
import type { AdapterRun, AgentAdapter } from '../agent-adapter';
import type { CodingAgentOptions } from './coding-agent-adapter';
import { type CodingAgentConfig, codingAgentConfig } from './coding-agent-config';
import { createCodingAgents } from './coding-agents';
import { NO_TOKENS } from './streams/token-counts';

const TYPES = { claude: 'model_a_local', codex: 'model_b_local', opencode: 'model_c_local' };
const MODELS = {
  claude: 'claude-sonnet-4-5',
  codex: 'gpt-5.5',
  opencode: 'anthropic/claude-sonnet-4-5',
};
type Tool = keyof typeof TYPES;
const RECORDED = { claude: 'claude-code', codex: 'codex', opencode: 'opencode' };

describe('coding agent adapter', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-agents-')));
  });
  afterAll(async () => {
    expect(listLiving(folder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  function adapterOf(tool: Tool, command: string, options: Partial<CodingAgentOptions> = {}) {
    const settings: ModelSettings = {
      claudeCode: { configured: [], command },
      codex: { configured: [], command },
      openCode: { command },
      prices: {},
    };
    const agents = createCodingAgents({
      settings,
      allowedVariables: 'any',
      children: {
        inherited: { PATH: process.env.PATH, HOME: folder, DATABASE_URL: 'never' },
        homes: null,
        confinements: CONFINEMENTS,
      },
      listModels: async () => [{ id: MODELS[tool], label: 'x' }],
      ...options,
    });
    return agents.find(({ type }) => type === TYPES[tool]) as AgentAdapter<CodingAgentConfig>;
  }

  async function prepare(
    tool: Tool,
    scenes: string[],
    config: Record<string, unknown> = {},
    overrides: Partial<AdapterRun<CodingAgentConfig>> = {},
  ) {
    count += 1;
    const workingDirectory = join(folder, `work-${count}`);
    await mkdir(workingDirectory);
    const standIn: StandIn = await createStandIn(join(folder, `tool-${count}`));
    const plays = standIn.plays(...scenes.map((scene) => `${RECORDED[tool]}-${scene}`));
    const parsed = codingAgentConfig.parse({ model: MODELS[tool], graceSec: 0, ...config });
    const run = recordRun(parsed, { workingDirectory, ...overrides });
    run.environment = { ...run.environment, ...plays };
    return { run, standIn, adapter: adapterOf(tool, standIn.command) };
  }
  const session = (directory: string) => ({ id: 'an-old-one', directory, counted: NO_TOKENS });

  it.each<[Tool, number]>([
    ['claude', 4],
    ['codex', 7],
    ['opencode', 4],
  ])(
    'passes the prompt to %s, and reports its log, usage, cost and session',
    async (tool, costCents) => {
      const { run, standIn, adapter } = await prepare(tool, ['work'], { extraArgs: ['--mine'] });
      expect(await adapter.run(run)).toEqual({ status: 'succeeded', exitCode: 0 });
      expect(run.usage).toMatchObject([{ inputTokens: 62_000, outputTokens: 1_000, costCents }]);
      expect(new Set(run.sessions).size).toBe(1);
      expect(run.output()).toContain('I said hello.');
      expect(run.output()).not.toContain('"type"');
      const [start] = await standIn.starts();
      expect(start?.input).toContain('You are Ada');
      expect(start?.cwd).toBe(run.workingDirectory);
      expect(start?.args.join(' ')).toContain(MODELS[tool]);
      expect(start?.args).toContain('--mine');
      expect(start?.args.join(' ')).not.toContain('You are Ada');
      expect(start?.environment).toMatchObject({ HOME: folder, ...run.environment });
      expect(start?.environment).not.toHaveProperty('DATABASE_URL');
    },
  );

  it.each<Tool>(['claude', 'codex', 'opencode'])('resumes a conversation of %s', async (tool) => {
    const { run, standIn, adapter } = await prepare(tool, ['resumed']);
    run.session = session(run.workingDirectory);
    expect(await adapter.run(run)).toMatchObject({ status: 'succeeded' });
    expect((await standIn.starts())[0]?.args.join(' ')).toMatch(
      /(resume[ =]|--session=)an-old-one/,
    );
    expect(run.output()).toContain('goes on with the conversation an-old-one');
  });

  it.each<Tool>(['claude', 'codex', 'opencode'])(
    'starts one new conversation of %s if the previous conversation is unknown',
    async (tool) => {
      const { run, standIn, adapter } = await prepare(tool, ['unknown-session', 'work']);
      run.session = session(run.workingDirectory);
      expect(await adapter.run(run)).toMatchObject({ status: 'succeeded' });
      const again = await standIn.starts();
      expect(again.map(({ args }) => args.join(' ').includes('an-old-one'))).toEqual([true, false]);
      expect(run.usage).toHaveLength(1);
      expect(run.output()).toContain('starts a new conversation');

      const never = await prepare(tool, ['unknown-session']);
      never.run.session = session(never.run.workingDirectory);
      const outcome = await never.adapter.run(never.run);
      expect(outcome).toMatchObject({ status: 'failed', errorCode: 'session_unknown' });
      expect(await never.standIn.starts()).toHaveLength(2);
    },
  );

  it.each(['/another/folder', '--dangerous'])(
    'does not resume a conversation from another folder, or with an id that resembles an option: %s',
    async (odd) => {
      const { run, standIn, adapter } = await prepare('codex', ['work']);
      run.session = odd.startsWith('/')
        ? session(odd)
        : { ...session(run.workingDirectory), id: odd };
      await adapter.run(run);
      expect((await standIn.starts())[0]?.args).not.toContain('resume');
    },
  );

  it.each<[Tool, string, object]>([
    ['claude', 'not-signed-in', { errorCode: 'not_signed_in', transient: false }],
    ['codex', 'model-unknown', { errorCode: 'model_unknown', transient: false }],
    ['codex', 'no-credit', { errorCode: 'quota_exhausted', transient: false }],
    ['opencode', 'rate-limited', { errorCode: 'rate_limited', transient: true }],
    ['claude', 'unavailable', { errorCode: 'provider_unavailable', transient: true }],
  ])(
    'reports the failure of %s in the recording %s with an error code',
    async (tool, scene, outcome) => {
      const { run, adapter } = await prepare(tool, [scene]);
      expect(await adapter.run(run)).toMatchObject({ status: 'failed', exitCode: 1, ...outcome });
      expect(run.usage).toEqual([]);
    },
  );

  it('fails with an error that names a missing program and its setting', async () => {
    const run = recordRun(codingAgentConfig.parse({}), { workingDirectory: folder });
    const outcome = await adapterOf('codex', 'no-such-tool').run(run);
    expect(outcome).toMatchObject({
      status: 'failed',
      errorCode: 'command_not_found',
      transient: false,
      error: expect.stringMatching(/Codex is not installed.*no-such-tool.*CODEX_COMMAND/),
    });
  });

  it.each(['NODE_OPTIONS', 'LD_PRELOAD', 'PATH'])(
    'rejects the variable %s unless the operator allows it',
    async (name) => {
      const { run, standIn } = await prepare('claude', ['work']);
      run.environment = { ...run.environment, [name]: 'x' };
      const adapter = adapterOf('claude', standIn.command, { allowedVariables: ['STAND_IN_*'] });
      expect(await adapter.run(run)).toMatchObject({ errorCode: 'variable_not_allowed' });
      expect(await standIn.starts()).toEqual([]);
    },
  );

  it('reports the usage of an aborted run up to the abort', async () => {
    const { run, adapter } = await prepare('claude', ['work:hang']);
    const ended = adapter.run(run);
    await run.seen('I said hello.');
    run.abort();
    expect(await ended).toMatchObject({ status: 'aborted' });
    expect(run.usage).toMatchObject([{ inputTokens: 62_000, costCents: expect.any(Number) }]);
  });

  it('ends the run as timed out after timeoutSec', async () => {
    const { run, adapter } = await prepare('opencode', ['work:hang'], { timeoutSec: 1 });
    expect(await adapter.run(run)).toMatchObject({ status: 'timed_out', errorCode: 'timeout' });
  });

  it('check() requires no key in the configuration if the gateway has a key', async () => {
    const codes = async (providers: string[]) => {
      const found = await adapterOf('claude', process.execPath, { providers }).check!({
        companyId: randomUUID(),
        agentId: randomUUID(),
        config: codingAgentConfig.parse({ model: MODELS.claude }),
        signingSecret: null,
        environment: {},
        workingDirectory: folder,
        signal: new AbortController().signal,
      });
      return found.map(({ code }) => code);
    };
    expect(await codes(['anthropic'])).toEqual(['executable_found', 'model_known']);
    expect(await codes(['openai'])).toContain('no_key');
  });

  it('check() reports the program, the model and the key', async () => {
    const check = (command: string, model?: string) =>
      adapterOf('claude', command).check!({
        companyId: randomUUID(),
        agentId: randomUUID(),
        config: codingAgentConfig.parse({ model }),
        signingSecret: null,
        environment: {},
        workingDirectory: folder,
        signal: new AbortController().signal,
      });
    const codes = async (command: string, model?: string) =>
      (await check(command, model)).map(({ code }) => code);
    expect(await check(process.execPath, MODELS.claude)).toMatchObject([
      { code: 'executable_found', details: { version: process.version.slice(1) } },
      { code: 'model_known' },
      {
        level: 'warning',
        code: 'no_key',
        message: expect.stringContaining('Only a run can check the sign-in'),
      },
    ]);
    expect(await codes(process.execPath, 'nope')).toEqual([
      'executable_found',
      'model_unknown',
      'no_key',
    ]);
    expect(await codes(process.execPath)).toEqual(['executable_found', 'model_default', 'no_key']);
    expect(await codes('no-such-tool')).toEqual(['command_not_found']);
    expect(await codes('false')).toEqual(['executable_unusable']);
  });
});
