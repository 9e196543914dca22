import { useHarness } from './harness';
import { startRunnerProcess, startWorkerProcess } from './worker-process';

const harness = useHarness();
const isRoot = process.getuid?.() === 0;

it('a runner warns if it runs as root, but a worker does not', async () => {
  const worker = await startWorkerProcess(harness.config);
  const runner = await startRunnerProcess(harness.config, worker.url);
  const expected = expect.stringMatching(/"level":"warn".*every agent that it starts/);
  for (const [one, warns] of [[runner, isRoot] as const, [worker, false] as const]) {
    one.signal('SIGTERM');
    expect(await one.ended).toBe(0);
    const warnings = one.lines.filter((line) => line.includes('runs as root'));
    expect(warnings).toEqual(warns ? [expected] : []);
  }
});
