import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useHarness } from '@switchyard/orchestration/test/harness';
import {
  startRunnerProcess,
  startWorkerProcess,
} from '@switchyard/orchestration/test/worker-process';
import { until } from '@switchyard/testing';

const RUNS = 100;
const HOSTILE_AGENTS = 4;
const HOSTILE_SEC = 60;

describe('a company that exhausts a shared machine', () => {
  const harness = useHarness();
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-neighbours-')));
    cpSync(join(__dirname, 'exhaust.mjs'), join(folder, 'exhaust.mjs'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const ended = (id: string) =>
    until(
      `the end of the run ${id}`,
      async () => {
        const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
        return run.finishedAt ? run : null;
      },
      120_000,
    );

  const work = async (agentId: string): Promise<number[]> => {
    const starts: number[] = [];
    for (let count = 0; count < RUNS; count++) {
      const asked = Date.now();
      const { id } = await harness.build.queuedRun(agentId);
      expect(await ended(id)).toMatchObject({ status: 'succeeded', error: null });
      const chunks = await harness.db.runLogChunk.findMany({ where: { runId: id } });
      const log = Buffer.concat(chunks.map(({ content }) => Buffer.from(content))).toString();
      starts.push(Number(/began (\d+)/.exec(log)?.[1]) - asked);
    }
    return starts.sort((one, other) => one - other);
  };

  const exhaust = async (agentId: string, signal: AbortSignal): Promise<number> => {
    for (let runs = 0; ; runs++) {
      if (signal.aborted) return runs;
      const { id } = await harness.build.queuedRun(agentId);
      expect(await ended(id)).toMatchObject({ status: 'timed_out' });
    }
  };

  const agentOf = async (companyId: string, name: string, args: string[]) => {
    const cwd = join(folder, companyId, name);
    mkdirSync(cwd, { recursive: true });
    const adapterConfig = { command: process.execPath, args, cwd, timeoutSec: HOSTILE_SEC };
    return harness.build.agent({ companyId, name, adapterType: 'process', adapterConfig });
  };

  it.each(['bwrap', 'landlock'])(
    'cannot stop the runs of another company under %s',
    async (SANDBOX) => {
      const worker = await startWorkerProcess(harness.config);
      const runner = await startRunnerProcess(harness.config, worker.url, { SANDBOX });
      const stop = new AbortController();
      let exhausting: Promise<number>[] = [];
      try {
        const { id: good } = await harness.build.company();
        const began = 'console.log("began", Date.now())';
        const worked = await agentOf(good, 'good', ['-e', began]);
        const quiet = await work(worked.id);
        const { id: bad } = await harness.build.company();
        const hostile = [];
        for (let count = 0; count < HOSTILE_AGENTS; count++) {
          const args = [join(folder, 'exhaust.mjs')];
          hostile.push(await agentOf(bad, `bad-${count}`, args));
        }
        exhausting = hostile.map(({ id }) => exhaust(id, stop.signal));
        const loaded = await work(worked.id);
        stop.abort();
        const runs = (await Promise.all(exhausting)).reduce((sum, one) => sum + one, 0);
        const at = (share: number, all: number[]) =>
          all[Math.ceil(all.length * share) - 1] as number;
        const ratio = at(0.99, loaded) / at(0.99, quiet);
        process.stdout.write(
          `${SANDBOX}: ${RUNS} of ${RUNS} runs succeeded next to ${runs} hostile ones; start p50 ${at(0.5, quiet)} and ${at(0.5, loaded)} ms, p99 ${at(0.99, quiet)} and ${at(0.99, loaded)} ms, ratio ${ratio.toFixed(1)}\n`,
        );
      } finally {
        stop.abort();
        await Promise.allSettled(exhausting);
        for (const each of [runner, worker]) {
          each.signal('SIGTERM');
          await each.ended;
        }
      }
    },
    900_000,
  );
});
