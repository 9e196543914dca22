import { useHarness } from './harness';
import { startWorkerProcess } from './worker-process';

const harness = useHarness();
const asRoot = process.getuid?.() === 0 ? it : it.skip;

asRoot('a worker that runs as root warns of what its agents then are', async () => {
  const worker = await startWorkerProcess(harness.config);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  const warnings = worker.lines.filter((line) => line.includes('runs as root'));
  expect(warnings).toEqual([expect.stringMatching(/"level":"warn".*every agent that it starts/)]);
});
