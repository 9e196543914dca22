import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_FILE_BYTES, MAX_WATCHERS } from '@switchyard/runner/sandbox/sandbox-settings';
import { createCanaries, findCanaries } from './canaries';
import { useHarness } from './harness';
import { attack, type Finding } from './hostile/attack';
import { openSurroundings } from './hostile/surroundings';
import { startRunnerProcess, startWorkerProcess } from './worker-process';

const LIMITS = { fileBytes: MAX_FILE_BYTES, processes: 600, watchers: MAX_WATCHERS };

describe('a hostile agent', () => {
  const harness = useHarness();
  const canaries = createCanaries();
  let folder: string;
  let surroundings: Awaited<ReturnType<typeof openSurroundings>>;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-hostile-')));
    surroundings = await openSurroundings(folder, canaries.make);
  });
  afterAll(() => {
    surroundings?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const attackUnder = (driver: string) =>
    attack({
      ...{ harness, folder, surroundings, canaries },
      limits: LIMITS,
      start: async ({ WORKER_PORT = '', ...environment }) => {
        const worker = await startWorkerProcess(harness.config, { ...environment, WORKER_PORT });
        const runner = await startRunnerProcess(harness.config, worker.url, {
          ...environment,
          RUNNER_DRAIN_SEC: '0',
          SANDBOX: driver,
          SANDBOX_MAX_PROCESSES: String(LIMITS.processes - 100),
        });
        return {
          pid: runner.pid,
          end: async () => {
            for (const each of [runner, worker]) {
              each.signal('SIGTERM');
              await each.ended;
            }
          },
        };
      },
    });
  const succeeded = (findings: Finding[], kind: Finding['kind']) =>
    findings.filter((one) => one.kind === kind && one.succeeded).map(({ name }) => name);

  it('succeeds with at least half of its attacks without a sandbox, so the attacks are real', async () => {
    const { ended, findings, log } = await attackUnder('off');
    expect(ended.status).toBe('succeeded');
    expect(findings.at(-1)?.kind).toBe('end');
    const probes = findings.filter(({ kind }) => kind === 'probe');
    expect(probes.length).toBeGreaterThanOrEqual(100);
    expect(succeeded(findings, 'probe').length).toBeGreaterThanOrEqual(probes.length / 2);
    expect(findCanaries(canaries.all, [['the log', log]]).length).toBeGreaterThan(5);
  }, 400_000);

  it.each(['bwrap', 'landlock'])(
    'fails in every attack under %s',
    async (driver) => {
      const { ended, findings, log } = await attackUnder(driver);
      expect(ended).toMatchObject({ status: 'succeeded', error: null });
      expect(findings.at(-1)?.kind).toBe('end');
      expect(succeeded(findings, 'probe')).toEqual([]);
      expect(findings.filter(({ kind, succeeded: may }) => kind === 'right' && !may)).toEqual([]);
      expect(findCanaries(canaries.all, [['the log', log]])).toEqual([]);
    },
    400_000,
  );
});
