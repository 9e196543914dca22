import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanaries, findCanaries } from './canaries';
import { useHarness } from './harness';
import { attack, type Finding } from './hostile/attack';
import { openSurroundings } from './hostile/surroundings';
import { startProcess } from './worker-process';

/** Above these a process of no sandbox comes, on any machine. */
const LIMITS = { fileBytes: 2 ** 40, openFiles: 10_000, processes: 600 };

describe('an agent that means harm', () => {
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

  const attackUnder = (environment: Record<string, string>) =>
    attack({
      ...{ harness, folder, surroundings, canaries },
      limits: LIMITS,
      start: async (more) => {
        const worker = await startProcess(harness.config, 'worker', '"worker is ready"', {
          ...more,
          ...environment,
        });
        return {
          pid: worker.pid,
          end: () => {
            worker.signal('SIGTERM');
            return worker.ended;
          },
        };
      },
    });
  const succeeded = (findings: Finding[], kind: Finding['kind']) =>
    findings.filter((one) => one.kind === kind && one.succeeded).map(({ name }) => name);

  it('does harm without a sandbox, so the probes are real', async () => {
    const { ended, findings, log } = await attackUnder({});
    expect(ended.status).toBe('succeeded');
    expect(findings.at(-1)?.kind).toBe('end');
    expect(findings.filter(({ kind }) => kind === 'probe').length).toBeGreaterThanOrEqual(30);
    expect(succeeded(findings, 'probe').length).toBeGreaterThanOrEqual(20);
    expect(findCanaries(canaries.all, [['the log', log]]).length).toBeGreaterThan(5);
  }, 400_000);
});
