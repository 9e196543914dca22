import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFINEMENTS } from '../../../../../test/confinements';
import { recordRun } from '../../../../../test/recorded-run';
import { childEnvironment } from '../../environment/child-environment';
import { codingAgentConfig } from '../coding-agent-config';
import type { CodingTool } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { OPENCODE } from './opencode';
import { runTool, type ToolRun } from './run-tool';

const LOGGED =
  'timestamp=2026-01-01T00:00:00.000Z level=ERROR run=1 message="stream error" error.error="AI_APICallError: Overloaded"';

const environmentOf = (own: Record<string, string>) =>
  childEnvironment({ inherited: { PATH: process.env.PATH }, home: null }, own).environment;

const confine: ToolRun['confine'] = (command) =>
  CONFINEMENTS.forAgent(command, { home: null, readOnly: [], readWrite: [] });

describe('a tool that waits for its provider', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-tool-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function start(script: string, patienceMs = 100, tool: CodingTool = OPENCODE) {
    const command = join(folder, 'tool');
    await writeFile(command, `#!/bin/sh\ncat > /dev/null\n${script}\n`, { mode: 0o755 });
    const config = codingAgentConfig.parse({ graceSec: 0 });
    const run = recordRun(config, { workingDirectory: folder });
    const ended = runTool({
      run,
      command,
      tool,
      session: null,
      prompt: 'x'.repeat(1_000_000),
      environment: environmentOf(run.environment),
      confine,
      timeoutMs: 60_000,
      patienceMs,
      dollars: () => null,
      now: () => new Date(),
    });
    return { run, ended };
  }

  it('is ended after a while, and the run fails as its provider does', async () => {
    const { run, ended } = await start(`echo '${LOGGED}' >&2; sleep 60`);
    expect((await ended).outcome).toMatchObject({
      status: 'failed',
      errorCode: 'provider_unavailable',
      transient: true,
    });
    expect(run.output()).toContain('trying again: AI_APICallError: Overloaded');
  });

  it('is left alone when it gets on', async () => {
    const step = JSON.stringify({ type: 'step_finish', part: { reason: 'stop', tokens: {} } });
    const script = `echo '${LOGGED}' >&2; sleep 0.2; echo '${step}'; sleep 2; echo '${step}'`;
    const { ended } = await start(script, 1_500);
    expect((await ended).outcome).toEqual({ status: 'succeeded', exitCode: 0 });
  });

  it('is not ended in the place of the one who asked for its end', async () => {
    const { run, ended } = await start(`echo '${LOGGED}' >&2; sleep 60`, 60_000);
    await run.seen('trying again');
    run.abort();
    expect((await ended).outcome).toMatchObject({ status: 'aborted' });
  });

  const system = (subtype: string, more: object) =>
    JSON.stringify({ type: 'system', subtype, ...more });
  const retry = (error: string) => system('api_retry', { error });
  const write = (...lines: string[]) => lines.map((line) => `echo '${line}'`).join('; ');

  it.each([
    ['a key', 'ANTHROPIC_API_KEY', 1],
    ['a sign-in that is not renewed', 'none', 2],
  ])('is ended at once when its provider refuses %s', async (_what, apiKeySource, times) => {
    const opened = system('init', { session_id: 'one', apiKeySource });
    const refused = Array(times).fill(retry('authentication_failed'));
    const script = `${write(opened, ...refused)}; sleep 60`;
    const { run, ended } = await start(script, 60_000, CLAUDE_CODE);
    expect((await ended).outcome).toMatchObject({
      status: 'failed',
      errorCode: 'not_signed_in',
      transient: false,
      error: 'the provider refused the sign-in: authentication_failed',
    });
    expect(run.output().match(/trying again/g)).toHaveLength(times);
  });

  it('goes on when a sign-in is renewed, and when what it tries again may pass', async () => {
    const opened = system('init', { session_id: 'one', apiKeySource: 'none' });
    const message = { id: 'a', model: 'm', content: [{ type: 'text', text: 'on' }], usage: {} };
    const script = write(
      opened,
      retry('authentication_failed'),
      JSON.stringify({ type: 'assistant', message }),
      retry('authentication_failed'),
      retry('rate_limit'),
      retry('authentication_failed'),
      JSON.stringify({ type: 'result', result: 'done' }),
    );
    const { ended } = await start(`${script}; sleep 0.2`, 60_000, CLAUDE_CODE);
    expect((await ended).outcome).toEqual({ status: 'succeeded', exitCode: 0 });
  });

  it('need not read its prompt', async () => {
    const command = join(folder, 'deaf');
    await writeFile(command, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const { run } = await start('exit 0');
    const { outcome } = await runTool({
      run: recordRun(run.config, { workingDirectory: folder }),
      command,
      tool: OPENCODE,
      session: null,
      prompt: 'x'.repeat(1_000_000),
      environment: environmentOf({}),
      confine,
      timeoutMs: 60_000,
      dollars: () => null,
      now: () => new Date(),
    });
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3, errorCode: 'adapter_exit' });
  });

  it('may print anything: what cannot be read is passed over, and what was used is kept', async () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const deep = `{"type":"tool_use","part":{"tool":"x","state":{"input":${nested}}}}`;
    const tokens = { input: 5, output: 1 };
    const step = JSON.stringify({ type: 'step_finish', part: { reason: 'stop', tokens } });
    await writeFile(join(folder, 'said'), `${deep}\n{"type":"error"\n\0\x1b[2J\n${step}\n`);
    const strange = JSON.stringify({ type: 'step_start', sessionID: '--help\0' });
    await writeFile(join(folder, 'opened'), `${strange}\n`);
    const { run, ended } = await start(`cat ${folder}/said ${folder}/opened`);
    expect((await ended).outcome).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(run.usage).toMatchObject([{ inputTokens: 5, outputTokens: 1 }]);
    expect(run.sessions).toEqual([]);
  });
});
