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
    const { ended, findings, log } = await attackUnder({ SANDBOX: 'off' });
    expect(ended.status).toBe('succeeded');
    expect(findings.at(-1)?.kind).toBe('end');
    expect(findings.filter(({ kind }) => kind === 'probe').length).toBeGreaterThanOrEqual(30);
    expect(succeeded(findings, 'probe').length).toBeGreaterThanOrEqual(20);
    expect(findCanaries(canaries.all, [['the log', log]]).length).toBeGreaterThan(5);
  }, 400_000);

  it.each(['bwrap', 'landlock'])(
    'does none under %s',
    async (driver) => {
      const { ended, findings, log } = await attackUnder({ SANDBOX: driver });
      require('node:fs').writeFileSync(
        `/tmp/hostile-${driver}.json`,
        JSON.stringify(findings, null, 1),
      );
      expect(ended).toMatchObject({ status: 'succeeded', error: null });
      expect(findings.at(-1)?.kind).toBe('end');
      expect(succeeded(findings, 'probe')).toEqual([]);
      expect(findings.filter(({ kind, succeeded: may }) => kind === 'right' && !may)).toEqual([]);
      expect(findCanaries(canaries.all, [['the log', log]])).toEqual([]);
    },
    400_000,
  );
});
