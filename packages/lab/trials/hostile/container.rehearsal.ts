import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanaries, findCanaries } from '@switchyard/orchestration/test/canaries';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { attack, type Finding } from '@switchyard/orchestration/test/hostile/attack';
import { openSurroundings } from '@switchyard/orchestration/test/hostile/surroundings';
import { RUNNER_TOKEN } from '@switchyard/orchestration/test/runner-client';
import { startWorkerProcess } from '@switchyard/orchestration/test/worker-process';
import { MAX_FILE_BYTES, MAX_WATCHERS } from '@switchyard/runner/sandbox/sandbox-settings';
import {
  CONTAINER_USER,
  NODE_OF_IMAGE,
  PROGRAM_OF_IMAGE,
  startRunnerContainer,
} from '../runner-image/runner-container';

const LIMITS = { fileBytes: MAX_FILE_BYTES, processes: 600, watchers: MAX_WATCHERS };

describe('a hostile agent of a runner in a container', () => {
  const harness = useHarness();
  const canaries = createCanaries();
  let folder: string;
  let surroundings: Awaited<ReturnType<typeof openSurroundings>>;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-hostile-')));
    for (const path of [folder, harness.config.dataDir]) {
      chownSync(path, CONTAINER_USER, CONTAINER_USER);
    }
    process.setegid?.(CONTAINER_USER);
    process.seteuid?.(CONTAINER_USER);
    surroundings = await openSurroundings(folder, canaries.make);
  });
  afterAll(() => {
    surroundings?.close();
    process.seteuid?.(process.getuid?.() ?? 0);
    process.setegid?.(process.getgid?.() ?? 0);
    rmSync(folder, { recursive: true, force: true });
  });

  const attackUnder = async (driver: string) => {
    let status = '';
    const found = await attack({
      ...{ harness, folder, surroundings, canaries },
      limits: LIMITS,
      programs: { node: NODE_OF_IMAGE, file: PROGRAM_OF_IMAGE },
      start: async ({ WORKER_PORT = '', ...environment }) => {
        const worker = await startWorkerProcess(harness.config, { ...environment, WORKER_PORT });
        const { dataDir } = harness.config;
        const runner = await startRunnerContainer([folder, dataDir], {
          ...environment,
          ...{ RUNNER_TOKEN, RUNNER_URL: worker.url, RUNNER_PORT: '0', RUNNER_DRAIN_SEC: '0' },
          ...{ RUNNER_NAME: `container-${driver}`, DATA_DIR: dataDir, LOG_FORMAT: 'json' },
          SANDBOX: driver,
          SANDBOX_MAX_PROCESSES: String(LIMITS.processes - 100),
        });
        status = readFileSync(`/proc/${runner.pid}/status`, 'utf8');
        return {
          pid: runner.pid,
          end: async () => {
            await runner.end();
            worker.signal('SIGTERM');
            await worker.ended;
          },
        };
      },
    });
    expect(status).toMatch(new RegExp(`^Uid:\\s+${CONTAINER_USER}\\s`, 'm'));
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
    const probes = found.findings.filter(({ kind }) => kind === 'probe');
    const done = probes.filter(({ succeeded }) => succeeded);
    process.stdout.write(`${driver}: ${done.length} of ${probes.length} probes succeeded\n`);
    return { ...found, done: done.map(({ name }) => name), probes };
  };
  const refusedRights = (findings: Finding[]) =>
    findings.filter(({ kind, succeeded }) => kind === 'right' && !succeeded);

  it('succeeds with at least 20 attacks if no sandbox is used', async () => {
    const { ended, findings, log, done } = await attackUnder('off');
    expect(ended).toMatchObject({ status: 'succeeded', error: null });
    expect(findings.at(-1)?.kind).toBe('end');
    expect(done.length).toBeGreaterThanOrEqual(20);
    expect(findCanaries(canaries.all, [['the log', log]]).length).toBeGreaterThan(5);
  }, 400_000);

  it('fails in every attack under landlock', async () => {
    const { ended, findings, log, done, probes } = await attackUnder('landlock');
    expect(ended).toMatchObject({ status: 'succeeded', error: null });
    expect(findings.at(-1)?.kind).toBe('end');
    expect(probes.length).toBeGreaterThanOrEqual(30);
    expect(done).toEqual([]);
    expect(refusedRights(findings)).toEqual([]);
    expect(findCanaries(canaries.all, [['the log', log]])).toEqual([]);
  }, 400_000);
});
