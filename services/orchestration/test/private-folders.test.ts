import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startApiProcess } from './api-process';
import { useHarness } from './harness';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

const FOLDERS = ['runs', 'discovery', 'repositories', 'homes', 'files'];

describe('folders that hold the work of agents', () => {
  const harness = useHarness();
  const processes: WorkerProcess[] = [];
  afterEach(async () => {
    for (const started of processes.splice(0)) {
      started.signal('SIGKILL');
      await started.ended;
    }
  });

  const modeOf = async (...names: string[]) =>
    (await stat(join(harness.config.dataDir, ...names))).mode & 0o777;
  const loosen = async (names: string[]) => {
    for (const name of names) {
      const folder = join(harness.config.dataDir, name);
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o755);
    }
  };

  it('are closed to other accounts of the host when a process starts', async () => {
    for (const start of [startWorkerProcess, startApiProcess]) {
      await loosen(FOLDERS);
      processes.push(await start(harness.config));
      for (const name of FOLDERS) expect([name, await modeOf(name)]).toEqual([name, 0o700]);
    }
  });

  it('are made closed: of a run, of a list of models', async () => {
    const { dataDir } = harness.config;
    for (const name of FOLDERS) await rm(join(dataDir, name), { recursive: true, force: true });
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: '/bin/sh', args: ['-c', 'umask 0; echo work > work'] },
    });
    const { id } = await harness.build.queuedRun(agent.id);
    await harness.drain();
    const path = `/api/companies/${agent.companyId}/adapters/model_c_local/models`;
    await harness.api.get(path).expect(200);
    for (const place of [['runs'], ['runs', id], ['discovery']]) {
      expect([place, await modeOf(...place)]).toEqual([place, 0o700]);
    }
  });
});
