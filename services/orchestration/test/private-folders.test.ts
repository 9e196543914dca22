import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { useHarness } from './harness';

describe('folders below DATA_DIR', () => {
  const harness = useHarness();

  it('have mode 0700, whether they belong to runs or to model listings', async () => {
    const { dataDir } = harness.config;
    const modeOf = async (...names: string[]) => (await stat(join(dataDir, ...names))).mode & 0o777;
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
