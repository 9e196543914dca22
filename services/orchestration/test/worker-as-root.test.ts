import { useHarness } from './harness';
import { startWorkerProcess } from './worker-process';

const harness = useHarness();
const isRoot = process.getuid?.() === 0;

it('a worker that runs as root, and no other, warns of what its agents then are', async () => {
  const worker = await startWorkerProcess(harness.config);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  const warnings = worker.lines.filter((line) => line.includes('runs as root'));
  const expected = expect.stringMatching(/"level":"warn".*every agent that it starts/);
  expect(warnings).toEqual(isRoot ? [expected] : []);
});
