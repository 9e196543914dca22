import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFINEMENTS } from '../../../test/confinements';
import { listLiving } from '../../../test/living-processes';
import { recordRun } from '../../../test/recorded-run';
import type { AdapterRun } from '../agent-adapter';
import { createProcessAdapter } from './process-adapter';
import type { ProcessConfig } from './process-config';
import { defineProcessAdapter } from './process-definition';

const { PATH, HOME, LANG } = process.env;
const inherited = { ...process.env, LANG: LANG ?? 'C.UTF-8' };
const open = (allowedCommands: string[] | 'any' = 'any', worker: typeof inherited = inherited) =>
  createProcessAdapter({
    allowedCommands,
    allowedVariables: allowedCommands === 'any' ? 'any' : ['*_API_KEY'],
    children: { inherited: worker, homes: null, confinements: CONFINEMENTS },
  });
const adapter = open();

type Overrides = Partial<AdapterRun<ProcessConfig>>;

function prepare(config: Partial<ProcessConfig>, overrides: Overrides = {}) {
  const defaults = { command: 'sh', args: [], timeoutSec: 15, graceSec: 0.2, silenceSec: 15 };
  return recordRun<ProcessConfig>({ ...defaults, ...config }, overrides);
}

const shell = (script: string, config: Partial<ProcessConfig> = {}, overrides: Overrides = {}) =>
  prepare({ command: 'sh', args: ['-c', script], ...config }, overrides);

const script = (source: string, config: Partial<ProcessConfig> = {}, overrides: Overrides = {}) =>
  prepare({ command: process.execPath, args: ['-e', source], ...config }, overrides);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-adapter-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('process adapter: limits', () => {
  test('times out a hung process and ends all its children', async () => {
    const run = shell('sleep 60 & sleep 60', { timeoutSec: 0.3 });
    const result = await adapter.run(run);
    expect(result).toMatchObject({ status: 'timed_out', errorCode: 'timeout', exitCode: null });
    expect(listLiving(run.runId)).toEqual([]);
  });

  test('kills processes that ignore TERM, leave the session or clear their environment', async () => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const stubborn = `trap "" TERM; sleep ${mark} & setsid sleep ${mark} & env -i setsid sleep ${mark} &
      setsid sh -c "trap '' TERM; sleep ${mark} & sleep ${mark}; sleep ${mark}" & echo ready; sleep ${mark}; sleep ${mark}`;
    const run = shell(stubborn);
    const running = adapter.run(run);
    await run.seen('ready');
    while (listLiving(mark).length < 7) await new Promise(setImmediate);
    const abortedAt = performance.now();
    run.abort();
    const result = await running;
    expect(result.status).toBe('aborted');
    expect([...listLiving(mark), ...listLiving(run.runId)]).toEqual([]);
    expect(performance.now() - abortedAt).toBeGreaterThan(150);
  });

  test('times out a silent process, but not one that writes output', async () => {
    const silent = shell('echo begin; sleep 60', { silenceSec: 0.3 });
    const talking = shell('for i in 1 2 3 4 5 6 7 8; do echo $i >&2; sleep 0.15; done', {
      silenceSec: 1,
    });
    const [first, second] = await Promise.all([adapter.run(silent), adapter.run(talking)]);
    expect(first).toMatchObject({ status: 'timed_out', errorCode: 'silence' });
    expect(silent.output()).toBe('begin\n');
    expect(listLiving(silent.runId)).toEqual([]);
    expect(second).toEqual({ status: 'succeeded', exitCode: 0 });
  });

  test('does not count a stall of the worker as silence of the process', async () => {
    const run = shell('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done', { silenceSec: 0.5 });
    const running = adapter.run(run);
    await run.seen('1');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect(await running).toEqual({ status: 'succeeded', exitCode: 0 });
  });

  test('delivers output that the process writes in the grace period after an abort', async () => {
    const run = shell(
      'exec 2>/dev/null; trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.05; done',
      {
        graceSec: 10,
      },
    );
    const running = adapter.run(run);
    await run.seen('ready');
    run.abort();
    expect(await running).toEqual({ status: 'aborted', exitCode: 3 });
    expect(run.output()).toBe('ready\nbye\n');
  });

  test('does not start a run that was already aborted', async () => {
    const file = join(folder, 'never');
    const run = shell(`touch ${file}`);
    run.abort();
    expect(await adapter.run(run)).toEqual({ status: 'aborted', exitCode: null });
    expect(run.started).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('ends grandchildren after a normal exit, even if they hold the pipe open', async () => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const run = shell(
      `sleep ${mark} & env -i sleep ${mark} & setsid sleep ${mark} & sleep 0.1; echo done`,
    );
    const result = await adapter.run(run);
    expect(result).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(run.output()).toBe('done\n');
    expect(listLiving(mark)).toEqual([]);
  });
});

test.each([
  ['its group', (mark: string) => `env -i sleep ${mark} & sleep 0.1`],
  [
    'its session in another group',
    (mark: string) => `exec bash -c 'set -m; env -i sleep ${mark} & sleep 0.1'`,
  ],
])(
  'the process adapter uses %s to find and end an orphaned grandchild with a cleared environment',
  async (_how, text) => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const outcome = await adapter.run(shell(text(mark)));
    expect(outcome).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(listLiving(mark)).toEqual([]);
  },
);

describe('process adapter: child process', () => {
  test('passes only PATH, HOME, LANG and the variables of the run', async () => {
    const canaries = [
      'DATABASE_URL',
      'REDIS_URL',
      'SECRETS_MASTER_KEY',
      'SESSION_SECRET',
      'NODE_OPTIONS',
    ];
    const worker = {
      ...inherited,
      ...Object.fromEntries(canaries.map((n) => [n, 'canary'])),
    };
    const before = { ...process.env };
    for (const name of canaries.slice(0, 4)) process.env[name] = 'canary';
    try {
      const run = prepare({ command: 'env' });
      await open('any', worker).run(run);
      const all = run.output().trim().split('\n').sort();
      // Skips these variables, which name a folder of the run if the sandbox cannot mount /tmp.
      const lines = all.filter((line) => !/^(TMPDIR|TMP|TEMP)=.*\/switchyard-run-/.test(line));
      const expected = { PATH, HOME, LANG: inherited.LANG, ...run.environment };
      expect(lines).toEqual(
        Object.entries(expected)
          .map(([name, value]) => `${name}=${value}`)
          .sort(),
      );
    } finally {
      for (const name of canaries) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  test('passes arguments unchanged, without a shell', async () => {
    const file = join(folder, 'injected');
    const args = [`$(touch ${file})`, `; touch ${file}`, '`id`', '* "\'', ''];
    const run = prepare({
      command: process.execPath,
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args],
    });
    await adapter.run(run);
    expect(JSON.parse(run.output())).toEqual(args);
    expect(existsSync(file)).toBe(false);
  });

  test('closes stdin and starts in the run’s folder', async () => {
    const run = shell('cat; pwd', {}, { workingDirectory: folder });
    expect(await adapter.run(run)).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(run.output()).toBe(`${folder}\n`);
  });

  test('in authenticated mode, starts only listed commands, without variables that load other code', async () => {
    const listed = open(['echo']);
    const refused = await listed.run(prepare({ command: '/bin/echo' }));
    expect(refused).toMatchObject({
      status: 'failed',
      errorCode: 'command_not_allowed',
      transient: false,
    });
    for (const name of ['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'GIT_SSH_COMMAND']) {
      const outcome = await listed.run(
        prepare({ command: 'echo' }, { environment: { [name]: 'x' } }),
      );
      expect(outcome).toMatchObject({ errorCode: 'variable_not_allowed' });
    }
    const allowed = prepare({ command: 'echo', args: ['hi'] });
    expect(await listed.run(allowed)).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(allowed.output()).toBe('hi\n');
  });
});

describe('process adapter: outcomes', () => {
  test('fails without a retry after a non-zero exit or a signal', async () => {
    expect(await adapter.run(shell('exit 7'))).toEqual({
      status: 'failed',
      exitCode: 7,
      errorCode: 'adapter_exit',
      error: 'exit code 7',
      transient: false,
    });
    const killed = await adapter.run(shell('kill -SEGV $$'));
    expect(killed).toMatchObject({
      status: 'failed',
      errorCode: 'adapter_signal',
      transient: false,
    });
    expect(killed).toMatchObject({ error: expect.stringContaining('SIGSEGV'), exitCode: null });
  });

  test('fails with an error code if the command cannot be started', async () => {
    const plain = join(folder, 'not-executable');
    writeFileSync(plain, 'echo', { mode: 0o644 });
    for (const command of ['no-such-command-here', '/no/such/file', plain, folder]) {
      const outcome = await adapter.run(prepare({ command }));
      expect(outcome).toMatchObject({
        status: 'failed',
        errorCode: 'command_not_found',
        transient: false,
      });
    }
    const whole = await adapter.run(prepare({ command: 'python3 /srv/ada.py' }));
    expect(whole).toMatchObject({ error: expect.stringMatching(/put its arguments into `args`$/) });
    for (const workingDirectory of [join(folder, 'missing'), plain]) {
      const outcome = await adapter.run(shell('true', {}, { workingDirectory }));
      expect(outcome).toMatchObject({ errorCode: 'cwd_not_found', transient: false });
    }
    const tooLong = prepare({ command: 'echo', args: Array(100).fill('x'.repeat(32_768)) });
    expect(await adapter.run(tooLong)).toMatchObject({
      errorCode: 'spawn_failed',
      transient: false,
    });
  });
});

describe('process adapter: output and usage', () => {
  const usage = { provider: 'p', model: 'm', inputTokens: 10, outputTokens: 2, costCents: 3 };

  test('delivers a line of 8 MiB and reads the usage after it', async () => {
    const run = script(
      `process.stdout.write('x'.repeat(8 << 20) + '\\n' + ${JSON.stringify(JSON.stringify({ type: 'usage', ...usage }))} + '\\n')`,
    );
    expect(await adapter.run(run)).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(run.output().indexOf('\n')).toBe(8 << 20);
    expect(run.usage).toEqual([usage]);
  });

  test('reads usage from stdout only, across chunks and without a final newline', async () => {
    const line = JSON.stringify({ type: 'usage', ...usage });
    const run = shell(
      `printf '%s' '${line.slice(0, 30)}'; sleep 0.05; echo '${line.slice(30)}'; echo '${line}' >&2; printf '%s' '${line}'`,
    );
    await adapter.run(run);
    expect(run.usage).toEqual([usage, usage]);
    expect(run.output().split(line)).toHaveLength(4);
  });

  test('delivers no output before the process identity is stored, and all output afterwards', async () => {
    const order: string[] = [];
    const run = shell('echo early; echo late >&2');
    run.onStarted = async ({ pid }) => {
      while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      order.push(`stored ${pid > 1}`);
    };
    run.onOutput = (chunk) => order.push(chunk.toString());
    expect(await adapter.run(run)).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(order[0]).toBe('stored true');
    expect(order.slice(1).sort()).toEqual(['early\n', 'late\n']);
  });

  test.each([
    ['onStarted', 'sleep 60'],
    ['onOutput', 'echo x; sleep 60'],
    ['onUsage', `echo '${JSON.stringify({ type: 'usage', ...usage })}'; sleep 60`],
  ] as const)('ends the process and rethrows if %s throws', async (name, text) => {
    const run = shell(text);
    run[name] = () => {
      throw new Error('defect');
    };
    await expect(adapter.run(run)).rejects.toThrow('defect');
    expect(listLiving(run.runId)).toEqual([]);
  });

  test('aborts even if the process identity is never stored', async () => {
    const run = shell('sleep 60');
    run.onStarted = () => {
      run.abort();
      return new Promise(() => {});
    };
    expect(await adapter.run(run)).toEqual({ status: 'aborted', exitCode: null });
    expect(listLiving(run.runId)).toEqual([]);
  });

  test('leaves no file descriptor open after a hundred runs', async () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 10 }, () => adapter.run(prepare({ command: 'true' }))),
      );
    }
    expect(count()).toBeLessThanOrEqual(before);
  });
});

test('the configuration of a process agent rejects unknown fields and values out of bounds', () => {
  const { configSchema } = defineProcessAdapter({
    allowedCommands: 'any',
    allowedVariables: 'any',
  });
  expect(configSchema.parse({ command: 'x' })).toEqual({
    command: 'x',
    args: [],
    timeoutSec: 3600,
    graceSec: 10,
    silenceSec: 900,
  });
  const refused: unknown[] = [
    {},
    { command: '' },
    { command: 'a\0b' },
    { command: 'x'.repeat(4097) },
    { command: 'x', shell: true },
    { command: 'x', args: 'a b' },
    { command: 'x', args: ['\0'] },
    { command: 'x', timeoutSec: 0 },
    { command: 'x', timeoutSec: 86_401 },
    { command: 'x', graceSec: 301 },
    { command: 'x', silenceSec: 0.5 },
    { command: 'x', env: { SERVICE_API_KEY: 'x' } },
    { command: 'x', env: { A: 'a\0b' } },
    { command: 'x', env: { 'A=B': 'x' } },
  ];
  for (const config of refused) {
    expect(configSchema.safeParse(config)).toMatchObject({ success: false });
  }
});

test('the process adapter runs the bundled program even if no command is allowed, and ignores configured variables', async () => {
  const planted = { NODE_OPTIONS: '--require=/nowhere.js', A_API_KEY: 'x' };
  const run = prepare({ command: 'switchyard-demo-agent' }, { environment: planted });
  const ended = await open([]).run(run);
  expect(ended).toMatchObject({ status: 'failed', errorCode: 'adapter_exit' });
  expect(run.output()).not.toContain('/nowhere.js');
});
