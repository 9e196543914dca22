import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@switchyard/server';
import { until } from '@switchyard/testing';
import { listLiving } from '../test/living-processes';
import {
  RUNNER_TOKEN,
  type StandInRun,
  type StandInServer,
  serveStandIn,
} from '../test/stand-in-server';
import { createRunnerParts } from './runner-parts';
import { readRunnerSettings } from './runner-settings';
import { type Runner, startRunner } from './start-runner';
import type { Disk } from './watch-room';

const AT_ONCE = { handOverAfterMs: 0, killAfterMs: 5_000 };

describe('startRunner()', () => {
  let server: StandInServer;
  let dataDir: string;
  let runner: Runner | null;
  let faults: unknown[];
  let warnings: { message: string; fields?: object }[];

  const start = async (capacity = 4, readDisk?: () => Promise<Disk>) => {
    const settings = readRunnerSettings({
      RUNNER_URL: server.url,
      RUNNER_TOKEN,
      RUNNER_NAME: 'here',
      DATA_DIR: dataDir,
      SANDBOX: 'off',
      PATH: process.env.PATH,
    });
    runner = await startRunner({
      ...createRunnerParts(settings),
      ...settings,
      capacity,
      sandbox: { driver: 'off', detail: '' },
      logger: { ...silentLogger, warn: (message, fields) => warnings.push({ message, fields }) },
      onFault: (error) => faults.push(error),
      readDisk,
    });
    return runner;
  };
  beforeEach(async () => {
    server = await serveStandIn();
    dataDir = await mkdtemp(join(tmpdir(), 'switchyard-runner-'));
    faults = [];
    warnings = [];
    runner = null;
  });
  afterEach(async () => {
    server.state.fault = null;
    server.state.refusal = null;
    await runner?.close(AT_ONCE);
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const program = (body: string, more: object = {}) => ({
    config: {
      command: process.execPath,
      args: ['-e', body],
      timeoutSec: 60,
      graceSec: 1,
      silenceSec: 60,
      ...more,
    },
  });
  const ended = (run: StandInRun) => until('the run to end', () => run.outcome);
  const hanging = program(`console.log('at work'); setInterval(() => {}, 1000)`);
  const begun = (run: StandInRun) =>
    until('the run to be at work', () => run.log.includes('at work'));
  const processesOf = (run: StandInRun) => listLiving(`SERVICE_RUN_ID=${run.assignment.runId}`);

  it('warns while the server is unreachable, and starts when the server responds', async () => {
    server.state.fault = 'away';
    const { problem } = await start();
    const message = `cannot register with ${server.url}; retrying`;
    const said = await until('it says so', () => warnings.find((one) => one.message === message));
    expect(said).toEqual({ message, fields: { cause: expect.any(String) } });
    expect(problem()).toBe('the runner is not registered with the server');
    server.state.fault = null;
    await until('it is ready', () => problem() === null);
  });

  it('registers, executes an assigned run, and sends its log, usage and end', async () => {
    await start();
    const run = server.offer({
      ...program(`
        console.log('a secret: ' + process.env.SERVICE_API_KEY);
        const usage = { type: 'usage', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2 };
        console.log(JSON.stringify({ ...usage, costCents: 3 }));
        console.log(JSON.stringify({ ...usage, costCents: 4 }));
        console.error(process.env.SERVICE_API_URL);
        console.error('\\x1b[31mno\\x1b[0m ' + process.env.SERVICE_API_KEY + '\\n');
        process.exitCode = 7;
      `),
      secrets: [],
    });
    run.assignment.spec.secrets.push(`key-of-${run.assignment.runId}`);
    expect(await ended(run)).toEqual({
      status: 'failed',
      exitCode: 7,
      errorCode: 'adapter_exit',
      error: 'exit code 7: no ***',
      transient: false,
    });
    expect(run.log.toString()).toContain('a secret: ***');
    expect(run.log.toString()).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,}$/m);
    expect(run.usage).toMatchObject([
      { seq: 1, usage: { costCents: 3 } },
      { seq: 2, usage: { costCents: 4 } },
    ]);
    const [hello] = server.hellos;
    expect(hello).toMatchObject({ name: 'here', capacity: 4, labels: [] });
    expect(hello?.probes.map(({ adapterType }) => adapterType)).toEqual([
      'process',
      'model_a_local',
      'model_b_local',
      'model_c_local',
    ]);
    await until('its folder to be gone', async () => {
      return (await readdir(join(dataDir, 'runs'))).length === 0;
    });
  });

  it('executes as many runs as it has slots, and the next run when a slot becomes free', async () => {
    await start(2);
    const runs = [1, 2, 3].map(() => server.offer(hanging));
    const [first, second, third] = runs as [StandInRun, StandInRun, StandInRun];
    await begun(first);
    await begun(second);
    await until('a request without a place', () => server.nexts.at(-1)?.free === 0);
    expect(server.nexts.at(-1)?.running.sort()).toEqual(
      [first, second].map(({ assignment }) => assignment.runId).sort(),
    );
    first.state = 'cancelled';
    await begun(third);
    expect(first.outcome).toEqual({ status: 'aborted', exitCode: null });
  });

  it('requests no work while the disk of DATA_DIR is full, and reports the reason', async () => {
    let freeBytes = 0;
    const { problem } = await start(4, async () => ({ freeBytes, sizeBytes: 2 ** 40 }));
    const run = server.offer(hanging);
    await until('a request for work', () => server.nexts.length > 0);
    expect(server.nexts[0]).toMatchObject({ free: 0, checks: 0 });
    expect(problem()).toBe('the disk of DATA_DIR is full');
    freeBytes = 2 ** 39;
    await begun(run);
    expect(problem()).toBeNull();
  });

  it.each(['away', 'deaf'] as const)(
    'neither loses nor repeats log bytes, usage or the end of a run during the server fault “%s”',
    async (fault) => {
      await start();
      const run = server.offer(
        program(`
          const line = 'x'.repeat(1023) + '\\n';
          const usage = { type: 'usage', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
          console.log('at work');
          setTimeout(() => {
            for (let at = 0; at < 3000; at++) process.stdout.write(line);
            for (let at = 0; at < 5; at++) console.log(JSON.stringify(usage));
          }, 300);
        `),
      );
      await begun(run);
      server.state.fault = fault;
      const before = run.log.length;
      await until('the lease to be long over', () => {
        return new Promise((resolve) => setTimeout(resolve, 2_500, true));
      });
      expect(run.outcome).toBeNull();
      server.state.fault = null;
      expect(await ended(run)).toEqual({ status: 'succeeded', exitCode: 0 });
      expect(before).toBeLessThan(run.log.length);
      const lines = run.log.toString().split('\n');
      expect(lines.filter((line) => line === 'x'.repeat(1023))).toHaveLength(3000);
      expect(run.usage).toHaveLength(5);
    },
  );

  it('ends the processes of a run that another runner has claimed, and stops reporting on the run', async () => {
    await start();
    const run = server.offer(hanging);
    await begun(run);
    run.state = 'lost';
    await until('its processes to end', () => processesOf(run).length === 0);
    await until('its place to be free', () => runner?.busy() === 0);
    expect(run).toMatchObject({ outcome: null, released: null });
  });

  it('hands its runs back when it stops, and reports whether a fault caused the stop', async () => {
    const first = await start();
    const run = server.offer(hanging);
    await begun(run);
    await first.close(AT_ONCE);
    expect(run).toMatchObject({ outcome: null, released: { isFault: false } });
    expect(processesOf(run)).toEqual([]);
    const second = await start();
    const again = server.offer(hanging);
    await begun(again);
    await second.close({ ...AT_ONCE, isFault: true });
    expect(again.released).toEqual({ isFault: true });
    runner = null;
  });

  it('lets its runs end while it drains, and accepts no new run', async () => {
    const draining = await start();
    const run = server.offer(program(`console.log('at work'); setTimeout(() => {}, 1500)`));
    await begun(run);
    const closed = draining.close({ handOverAfterMs: 60_000, killAfterMs: 60_000 });
    const late = server.offer(hanging);
    await closed;
    runner = null;
    expect(run.outcome).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(processesOf(late)).toEqual([]);
  });

  it('registers again with a server that has lost its registration, and continues its runs', async () => {
    await start();
    const run = server.offer(hanging);
    await begun(run);
    server.state.refusal = 'unknown_instance';
    const before = server.hellos.length;
    await until('another hello', () => server.hellos.length > before);
    const { renewed } = run;
    await until('the lease to be renewed', () => run.renewed > renewed);
    expect(processesOf(run).length).toBeGreaterThan(0);
    expect(server.hellos.at(-1)?.instance).toBe(server.hellos[0]?.instance);
  });

  it('stops, and ends its runs, when another runner registers under the same name', async () => {
    await start();
    const run = server.offer(hanging);
    await begun(run);
    server.state.refusal = 'runner_replaced';
    await until('it to give up', () => faults.length > 0);
    await until('its processes to end', () => processesOf(run).length === 0);
  });

  it('reports the findings of an agent check without secrets', async () => {
    await start();
    const checkId = randomUUID();
    server.check({
      checkId,
      companyId: randomUUID(),
      agentId: randomUUID(),
      adapterType: 'process',
      config: { command: 'no-such-program-canary' },
      environment: {},
      secrets: ['canary'],
      workspace: null,
    });
    const findings = await until('the findings', () => server.findings.get(checkId));
    expect(findings.map(({ code }) => code)).toEqual([
      'checked_on',
      'cwd_of_run',
      'sandbox_off',
      'command_not_found',
    ]);
    expect(JSON.stringify(findings)).not.toContain('canary');
  });
});
