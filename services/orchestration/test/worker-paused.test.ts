import { freePort } from '@switchyard/testing';
import { useHarness } from './harness';
import { startProcess } from './worker-process';

const harness = useHarness();

it('a paused worker answers its probes, has no place for a run and stops when told', async () => {
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
