import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFINEMENTS } from '../../../../test/confinements';
import { recordRun } from '../../../../test/recorded-run';
import { childEnvironment } from '../../environment/child-environment';
import { codingAgentConfig } from '../coding-agent-config';
import type { CodingTool } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';
import { OPENCODE } from './opencode';
import { runTool, type ToolRun } from './run-tool';

const LOGGED =
  'timestamp=2026-01-01T00:00:00.000Z level=ERROR run=1 message="stream error" error.error="AI_APICallError: Overloaded"';

const environmentOf = (own: Record<string, string>) =>
  childEnvironment({ inherited: { PATH: process.env.PATH }, home: null }, own).environment;

const confine: ToolRun['confine'] = (command) =>
  CONFINEMENTS.forAgent(command, { home: null, readOnly: [], readWrite: [] });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-tool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function start(
  script: string,
  patienceMs = 100,
  tool: CodingTool = OPENCODE,
  limits: Partial<ToolRun> = {},
) {
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
    ...limits,
  });
  return { run, ended };
}

describe('runTool()', () => {
  it('ends a tool that waits too long for its provider, and reports the provider’s failure', async () => {
    const { run, ended } = await start(`echo '${LOGGED}' >&2; sleep 60`);
    expect((await ended).outcome).toMatchObject({
      status: 'failed',
      errorCode: 'provider_unavailable',
      transient: true,
    });
    expect(run.output()).toContain('trying again: AI_APICallError: Overloaded');
  });

  it('does not end a tool that continues after a retry', async () => {
    const tokens = { input: 1 };
    const step = JSON.stringify({ type: 'step_finish', part: { reason: 'stop', tokens } });
    const script = `echo '${LOGGED}' >&2; sleep 0.2; echo '${step}'; sleep 2; echo '${step}'`;
    const { ended } = await start(script, 1_500);
    expect((await ended).outcome).toEqual({ status: 'succeeded', exitCode: 0 });
  });

  it('reports an abort during a retry as aborted', async () => {
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
  ])('ends a tool immediately if the provider rejects %s', async (_what, apiKeySource, times) => {
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

  it('does not end a tool after a renewed sign-in or a temporary error', async () => {
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

  it('reports the exit code of a tool that does not read its prompt', async () => {
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

  it('ignores unreadable output and still reports usage', async () => {
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

describe('runTool() when the tool ends', () => {
  const write = (...lines: object[]) =>
    lines.map((line) => `echo '${JSON.stringify(line)}'`).join('; ');
  const message = { id: 'a', model: 'm', content: [{ type: 'text', text: 'on' }], usage: {} };
  const tokens = { input: 5, output: 1 };
  const stop = (reason: string) => ({ type: 'step_finish', part: { reason, tokens } });
  const item = { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } };
  const assistant = { type: 'assistant', message };
  const result = { type: 'result', subtype: 'success', num_turns: 1, result: 'Done.' };
  const turn = { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 1 } };
  const TOOLS: [string, CodingTool, object[], object][] = [
    ['Claude Code', CLAUDE_CODE, [assistant], result],
    ['Codex', CODEX, [item], turn],
    ['OpenCode', OPENCODE, [{ type: 'text', part: { text: 'Done.' } }], stop('stop')],
  ];
  const HANG = 'exec sleep 600';

  describe.each(TOOLS)('%s', (_name, tool, work, last) => {
    const ends = async (script: string, limits: Partial<ToolRun> = {}) => {
      const { run, ended } = await start(script, 60_000, tool, limits);
      return { outcome: (await ended).outcome, log: run.output() };
    };

    it.each([1, 143])('succeeds after a result, even with exit code %d', async (exitCode) => {
      const { outcome, log } = await ends(`${write(...work, last)}; exit ${exitCode}`);
      expect(outcome).toEqual({ status: 'succeeded', exitCode });
      expect(log).toContain(`after the result: exit code ${exitCode}`);
    });

    it('succeeds and ends the tool if it does not exit after its result', async () => {
      const script = `${write(...work, last)}; ${HANG}`;
      const { outcome, log } = await ends(script, { resultGraceMs: 50 });
      expect(outcome).toMatchObject({ status: 'succeeded' });
      expect(log).toContain('the tool did not exit and was ended');
    });

    it('succeeds if the time limit ends the tool after its result', async () => {
      const script = `${write(...work, last)}; ${HANG}`;
      expect((await ends(script, { timeoutMs: 1_000 })).outcome).toMatchObject({
        status: 'succeeded',
      });
    });

    it.each([
      ['with no output', ''],
      ['after work', write(...work)],
    ])('fails if the tool exits without a result: %s', async (_what, script) => {
      expect((await ends(`${script}\nexit 0`)).outcome).toEqual({
        status: 'failed',
        exitCode: 0,
        errorCode: 'no_result',
        error: `${tool.name} exited without a result`,
        transient: false,
      });
    });

    it('succeeds if the tool reports an error on stderr after its result', async () => {
      const script = `${write(...work, last)}; sleep 0.2; echo 'Error: broken pipe' >&2; exit 1`;
      expect((await ends(script)).outcome).toEqual({ status: 'succeeded', exitCode: 1 });
    });
  });

  it.each<[string, CodingTool, object]>([
    ['Claude Code', CLAUDE_CODE, { ...result, num_turns: 0, result: '', modelUsage: {} }],
    ['Codex', CODEX, { type: 'turn.completed', usage: { input_tokens: 0 } }],
    ['OpenCode', OPENCODE, { type: 'step_finish', part: { reason: 'stop', tokens: {} } }],
  ])('fails if the result contains no work: %s', async (_name, tool, empty) => {
    const { ended } = await start(write(empty), 60_000, tool);
    expect((await ended).outcome).toMatchObject({ status: 'failed', errorCode: 'no_result' });
  });

  it('fails if the subtype of Claude Code’s result is an error, even without is_error', async () => {
    const failed = { ...result, subtype: 'error_max_turns', result: undefined };
    const { ended } = await start(write(assistant, failed), 60_000, CLAUDE_CODE);
    expect((await ended).outcome).toMatchObject({ status: 'failed', error: 'error_max_turns' });
  });

  it('reads the first line even if it begins with a byte order mark', async () => {
    const opened = { type: 'system', subtype: 'init', session_id: 'one' };
    const script = `printf '\\357\\273\\277'; ${write(opened, assistant, result)}`;
    const { run, ended } = await start(script, 60_000, CLAUDE_CODE);
    expect((await ended).outcome).toMatchObject({ status: 'succeeded' });
    expect(run.sessions).toEqual(['one']);
  });

  it('reads a result of 2 MiB, and logs the length of a line above the limit', async () => {
    const denied = { permission_denials: [{ tool_input: 'x'.repeat(2 << 20) }] };
    const modelUsage = { m: { inputTokens: 5, outputTokens: 1 } };
    const long = JSON.stringify({ ...result, ...denied, modelUsage });
    await writeFile(join(folder, 'said'), `${'x'.repeat((16 << 20) + 1)}\n${long}\n`);
    const { run, ended } = await start(`cat ${folder}/said`, 60_000, CLAUDE_CODE);
    expect((await ended).outcome).toMatchObject({ status: 'succeeded' });
    expect(run.usage).toMatchObject([{ inputTokens: 5, outputTokens: 1 }]);
    expect(run.output()).toContain('[run] a line of 16777217 bytes was not read');
  });

  it('fails if the tool does not exit after a failure', async () => {
    const failed = { type: 'turn.failed', error: { message: 'no' } };
    const script = `${write(failed)}; ${HANG}`;
    const { ended } = await start(script, 60_000, CODEX, { resultGraceMs: 50 });
    expect((await ended).outcome).toMatchObject({ status: 'failed', error: 'no' });
  });

  it.each([
    ['continues to work', [result, assistant]],
    [
      'has a task in the background',
      [{ type: 'system', subtype: 'task_started', task_id: 'b' }, result],
    ],
  ])('does not end a tool that %s after a result', async (_what, lines) => {
    // One write, because the grace period begins when the result is read.
    const said = lines.map((line) => JSON.stringify(line)).join('\n');
    const { run, ended } = await start(`echo '${said}'; ${HANG}`, 60_000, CLAUDE_CODE, {
      resultGraceMs: 1,
      timeoutMs: 1_500,
    });
    await ended;
    expect(run.output()).toContain('after the result: did not end within 1.5 s');
  });
});
