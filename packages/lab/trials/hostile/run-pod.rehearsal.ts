import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanaries, findCanaries } from '@switchyard/orchestration/test/canaries';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { attack } from '@switchyard/orchestration/test/hostile/attack';
import { openSurroundings } from '@switchyard/orchestration/test/hostile/surroundings';
import { startScriptedCluster } from '@switchyard/orchestration/test/pods/scripted-cluster';
import { startWorkerProcess } from '@switchyard/orchestration/test/worker-process';
import { MAX_FILE_BYTES, MAX_WATCHERS } from '@switchyard/runner/sandbox/sandbox-settings';
import { podmanKubelet } from '../pods/podman-kubelet';
import { CONTAINER_USER, NODE_OF_IMAGE, PROGRAM_OF_IMAGE } from '../runner-image/runner-container';

const LIMITS = { fileBytes: MAX_FILE_BYTES, processes: 600, watchers: MAX_WATCHERS };

/**
 * A worker creates one pod for the attacker and one for the victim. Only the network (the host's)
 * and the test's folders differ from the manifests. The attacker receives the victim's process id
 * on the host, because the process id in the victim's pod may also exist in the attacker's pod.
 */
describe('a hostile agent in a run pod', () => {
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
    const statuses: string[] = [];
    const found = await attack({
      ...{ harness, folder, surroundings, canaries },
      limits: LIMITS,
      programs: { node: NODE_OF_IMAGE, file: PROGRAM_OF_IMAGE },
      start: async ({ WORKER_PORT = '', ...environment }) => {
        const { dataDir } = harness.config;
        const kubelet = podmanKubelet(() => ({
          variables: {
            ...environment,
            RUNNER_URL: `http://127.0.0.1:${WORKER_PORT}`,
            SANDBOX: driver,
            // The probes need the operator's folders, which authenticated mode does not open. Local
            // mode gives no other additional access.
            AUTH_MODE: 'local_trusted',
            SANDBOX_MAX_PROCESSES: String(LIMITS.processes - 100),
            // Twice the largest file size, so that the probe that exceeds this size does not end
            // the run before the other probes.
            SANDBOX_TEMPORARY_MIB: String((2 * LIMITS.fileBytes) / 2 ** 20),
          },
          folders: [folder, dataDir],
        }));
        const cluster = await startScriptedCluster(kubelet);
        const ofWorker = { ...environment, WORKER_PORT, ...cluster.variables };
        const worker = await startWorkerProcess(harness.config, ofWorker);
        return {
          hasPodPerRun: true,
          get pid() {
            const [victim = ''] = cluster.created;
            const pid = kubelet.pidOf(victim);
            statuses.push(readFileSync(`/proc/${pid}/status`, 'utf8'));
            return pid;
          },
          end: async () => {
            worker.signal('SIGTERM');
            await worker.ended;
            await cluster.close();
            expect(cluster.findings).toEqual([]);
          },
        };
      },
    });
    for (const status of statuses) {
      expect(status).toMatch(new RegExp(`^Uid:\\s+${CONTAINER_USER}\\s`, 'm'));
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect(status).toMatch(/^Seccomp:\s+2$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    }
    expect(statuses).not.toEqual([]);
    const succeeded = (kind: string, is: boolean) =>
      found.findings.filter((one) => one.kind === kind && one.succeeded === is);
    const probes = found.findings.filter(({ kind }) => kind === 'probe').length;
    const done = succeeded('probe', true).map(({ name }) => name);
    process.stdout.write(`run pod, ${driver}: ${done.length} of ${probes} probes succeeded\n`);
    return { ...found, probes, done, refusedRights: succeeded('right', false) };
  };

  it('succeeds with at least 20 attacks if no sandbox is used', async () => {
    const { ended, findings, log, done } = await attackUnder('off');
    expect(ended).toMatchObject({ status: 'succeeded', error: null });
    expect(findings.at(-1)?.kind).toBe('end');
    expect(done.length).toBeGreaterThanOrEqual(20);
    expect(findCanaries(canaries.all, [['the log', log]]).length).toBeGreaterThan(5);
  }, 400_000);

  it('fails in every attack under the settings of the manifests', async () => {
    const { ended, findings, log, done, probes, refusedRights } = await attackUnder('auto');
    expect(ended).toMatchObject({ status: 'succeeded', error: null });
    expect(findings.at(-1)?.kind).toBe('end');
    expect(probes).toBeGreaterThanOrEqual(75);
    expect(done).toEqual([]);
    expect(refusedRights).toEqual([]);
    expect(findCanaries(canaries.all, [['the log', log]])).toEqual([]);
  }, 400_000);
});
