import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listLiving } from '@switchyard/runner/test/living-processes';
import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import { findViolations } from './find-violations';
import { useHarness } from './harness';
import {
  type ListeningWorker,
  startRunnerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from './worker-process';

const COUNT = {
  command: process.execPath,
  args: [
    '-e',
    `let at = 0;
    const tick = setInterval(() => {
      console.log('line ' + ++at);
      if (at % 10 === 0) console.log(JSON.stringify({
        type: 'usage', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 1,
      }));
      if (require('fs').existsSync(process.env.AGENT_STOP)) {
        clearInterval(tick);
        console.log('last ' + at);
      }
    }, 100);`,
  ],
  graceSec: 0.2,
};

describe('runs during faults', () => {
  const harness = useHarness();
  const started: WorkerProcess[] = [];
  const keep = <T extends WorkerProcess>(one: T): T => {
    started.push(one);
    return one;
  };
  let count = 0;

  afterEach(async () => {
    for (const one of started.splice(0)) {
      one.signal('SIGCONT');
      one.signal('SIGKILL');
      await one.ended;
    }
  });

  const startWorker = async (environment: Record<string, string> = {}) =>
    keep(await startWorkerProcess(harness.config, environment));
  const startRunner = async ({ url }: { url: string }, name = `name-${++count}`) =>
    keep(await startRunnerProcess(harness.config, url, { RUNNER_NAME: name }));
  const startAgain = ({ url }: ListeningWorker) => startWorker({ WORKER_PORT: new URL(url).port });

  const run = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const log = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}/log?limit=1048576`)).body.content as string;
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-counting-')));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const stopFile = () => join(folder, `stop-${++count}`);
  const livingOf = ({ id }: { id: string }) =>
    listLiving(`SERVICE_RUN_ID=${id}`).filter((line) => !/sandbox-entry|bwrap/.test(line));

  const counting = async () => {
    const stop = stopFile();
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { ...COUNT, cwd: folder, env: { AGENT_STOP: stop } },
    });
    const { id } = await harness.build.queuedRun(agent.id);
    await until('the agent to be at work', async () => (await log(id)).includes('line 3\n'));
    return { id, agent, stop };
  };
  const finish = async ({ id, stop }: { id: string; stop: string }) => {
    await writeFile(stop, '');
    return until('the run to end', async () => {
      const now = await run(id);
      return now.finishedAt === null ? null : now;
    });
  };
  const assertWhole = async ({ id }: { id: string }, ended: HeartbeatRunView) => {
    const text = await log(id);
    const numbers = [...text.matchAll(/^line (\d+)$/gm)].map(([, at]) => Number(at));
    const last = Number(/^last (\d+)$/m.exec(text)?.[1]);
    expect(numbers).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    const uses = Math.floor(last / 10);
    expect(ended.usage).toMatchObject({ inputTokens: uses, outputTokens: uses, costCents: uses });
    expect(await harness.db.costEvent.count({ where: { runId: id } })).toBe(uses);
  };
  const seen = async (id: string, more: number) => {
    const now = (await log(id)).split('\n').length;
    await until('further lines', async () => (await log(id)).split('\n').length > now + more);
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'continue while their worker restarts three times with %s',
    async (signal) => {
      let worker = await startWorker();
      await startRunner(worker);
      const runs = [await counting(), await counting()];
      for (let turn = 0; turn < 3; turn++) {
        worker.signal(signal);
        await worker.ended;
        worker = await startAgain(worker);
        for (const { id } of runs) await seen(id, 3);
      }
      for (const each of runs) {
        const ended = await finish(each);
        expect(ended).toMatchObject({ status: 'succeeded', attempt: 1 });
        await assertWhole(each, ended);
      }
    },
  );

  it('can end while the worker is down, and are reported once when the worker is up again', async () => {
    const worker = await startWorker();
    await startRunner(worker);
    const one = await counting();
    worker.signal('SIGKILL');
    await worker.ended;
    await writeFile(one.stop, '');
    await until('its processes to end', () => {
      return livingOf(one).length === 0;
    });
    expect((await run(one.id)).status).toBe('running');
    await startAgain(worker);
    const ended = await until('the run to end', async () => {
      const now = await run(one.id);
      return now.finishedAt === null ? null : now;
    });
    expect(ended).toMatchObject({ status: 'succeeded', attempt: 1 });
    await assertWhole(one, ended);
  });

  it('restart without losing an attempt when their runner is killed and a runner with the same name starts', async () => {
    const worker = await startWorker();
    const first = await startRunner(worker, 'one-name');
    const one = await counting();
    first.signal('SIGKILL');
    await first.ended;
    await startRunner(worker, 'one-name');
    const again = await until('the next attempt', async () => {
      const now = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: one.id } });
      return now.epoch > 1 ? now : null;
    });
    expect(again.attempt).toBe(1);
    await until('its next attempt alone to be at work', () => {
      return livingOf(one).length === 1;
    });
    const ended = await finish(one);
    expect(ended.status).toBe('succeeded');
  });

  it('restart without losing an attempt when their runner stops', async () => {
    const worker = await startWorker();
    const first = await startRunner(worker);
    const one = await counting();
    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(livingOf(one)).toEqual([]);
    await startRunner(worker);
    await until('the next attempt', async () => {
      return livingOf(one).length > 0;
    });
    expect(await finish(one)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('restart after their worker and their runner were killed', async () => {
    const worker = await startWorker();
    const first = await startRunner(worker);
    const one = await counting();
    first.signal('SIGKILL');
    worker.signal('SIGKILL');
    await Promise.all([first.ended, worker.ended]);
    await startRunner(await startWorker());
    const again = await until('the next attempt', async () =>
      (await run(one.id)).attempt === 2 ? true : null,
    );
    expect(again).toBe(true);
    await until('one attempt alone to be at work', () => {
      return livingOf(one).length === 1;
    });
    expect(await finish(one)).toMatchObject({ status: 'succeeded' });
  });

  it('leave the invariants intact', async () => {
    expect(await findViolations(harness.context.db.pool)).toEqual({});
  });
});
