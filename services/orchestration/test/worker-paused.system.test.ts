import { freePort } from '@switchyard/testing';
import { useHarness } from './harness';
import { runnerClient, WITH_RUNNERS } from './runner-client';
import { startProcess } from './worker-process';

const harness = useHarness({ config: WITH_RUNNERS });

it('a paused worker responds to probes and stops on SIGTERM, but does not start runs', async () => {
  const port = await freePort();
  const worker = await startProcess(harness.config, 'worker', 'paused by WORKER_PAUSED', {
    WORKER_PAUSED: 'true',
    WORKER_PORT: String(port),
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(200);
  expect(await (await get('/metrics')).text()).toMatch(/^switchyard_worker_slots 0$/m);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
});

it('a runner receives no work while workers are paused', async () => {
  const { id } = await harness.build.agent({
    adapterType: 'process',
    adapterConfig: { command: 'true' },
  });
  const run = await harness.build.queuedRun(id);
  const runner = runnerClient(harness);
  const { config } = harness.context;
  config.workerPaused = true;
  try {
    expect(await runner.take()).toEqual([]);
  } finally {
    config.workerPaused = false;
  }
  expect(await runner.take()).toMatchObject([{ runId: run.id }]);
});
