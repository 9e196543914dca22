import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rendered } from '../../../../k8s/test/manifest';
import { useHarness } from '../harness';
import { WITH_RUNNERS } from '../runner-client';
import { usePlacement } from './placement-harness';
import { processKubelet } from './process-kubelet';

const TEMPLATES = rendered('test/overlays/run-pods').filter(({ kind }) => kind === 'PodTemplate');
const LOOK = `
  const file = process.env.HOME + '/left';
  console.log(require('node:fs').existsSync(file) ? 'found it' : 'found nothing');
  require('node:fs').writeFileSync(file, '');
`;

describe('a run pod with the agents’ volume', () => {
  const harness = useHarness({ config: { runner: { ...WITH_RUNNERS.runner, leaseMs: 10_000 } } });
  const claims = mkdtempSync(join(tmpdir(), 'switchyard-claims-'));
  const kubelet = () => processKubelet(() => harness.runnersUrl, {}, claims);
  const { place, reaches, log } = usePlacement(harness, kubelet, TEMPLATES);
  afterAll(() => rmSync(claims, { recursive: true, force: true }));

  it('contains the files of its agent’s previous run, but no files of other agents', async () => {
    place();
    const adapterConfig = { command: process.execPath, args: ['-e', LOOK] };
    const hire = () => harness.build.agent({ adapterType: 'process', adapterConfig });
    const [own, other] = [await hire(), await hire()];
    const says = async (agentId: string) => {
      const { id } = await harness.build.queuedRun(agentId);
      await reaches(id, 'succeeded');
      return log(id);
    };
    expect(await says(own.id)).toContain('found nothing');
    expect(await says(own.id)).toContain('found it');
    expect(await says(other.id)).toContain('found nothing');
    const folders = readdirSync(join(claims, 'switchyard-agents', own.companyId));
    expect(folders).toContain(own.id);
  });
});
