import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { createRegistry, observeDisk, observePool, observeRequests } from './process-metrics';

describe('process metrics', () => {
  const registry = createRegistry();
  const app = express();
  app.use(observeRequests(registry, 'test'));
  app.get('/things/:thingId', (_request, response) => {
    response.status(204).end();
  });
  app.all('/things/:thingId', (_request, response) => {
    response.status(405).end();
  });
  app.get('/stream', (_request, response) => {
    response.type('text/event-stream').end();
  });
  const server = app.listen(0, '127.0.0.1');
  beforeAll(() => once(server, 'listening'));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const ask = (method: string, path: string) =>
    new Promise<void>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const asked = plainRequest(
        { host: '127.0.0.1', port, method, path, agent: false },
        (answer) => answer.resume().on('close', resolve),
      );
      asked.on('error', reject).end();
    });

  const counted = async () => {
    const page = await registry.metrics();
    return [...page.matchAll(/^test_http_request_duration_seconds_count(\S+) (\d+)$/gm)]
      .map(([, labels, count]) => `${labels} ${count}`)
      .sort();
  };

  it('count requests by route pattern, so that callers cannot create labels', async () => {
    await ask('GET', '/things/1');
    await ask('GET', '/things/2?x=3');
    await ask('PROPFIND', '/things/4');
    await ask('LOCK', '/things/5');
    await ask('GET', '/nothing/6');
    await ask('GET', '/nothing/7');
    await ask('GET', '/stream');
    expect(await counted()).toEqual([
      '{method="GET",route="/things/:thingId",status_class="2xx"} 2',
      '{method="GET",route="other",status_class="4xx"} 2',
      '{method="other",route="/things/:thingId",status_class="4xx"} 2',
    ]);
  });

  it('report the space of a folder’s disk, and nothing while the folder cannot be read', async () => {
    const fresh = createRegistry();
    observeDisk(fresh, 'here', tmpdir());
    observeDisk(fresh, 'nowhere', '/nowhere/at/all');
    const page = await fresh.metrics();
    const { blocks, bsize } = statfsSync(tmpdir());
    expect(page).toMatch(/^here_data_dir_free_bytes \d+$/m);
    expect(page).toContain(`\nhere_data_dir_size_bytes ${blocks * bsize}\n`);
    expect(page).not.toMatch(/^nowhere_data_dir/m);
  });

  it('sample the delay of the event loop twenty times per second', async () => {
    const fresh = createRegistry();
    await delay(300);
    const [, least] = /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(await fresh.metrics()) ?? [];
    expect(Number(least)).toBeGreaterThan(0.03);
  });

  it('contain the state that the database pool has during the scrape', async () => {
    const pool = { totalCount: 3, idleCount: 1, waitingCount: 0 };
    observePool(registry, 'test', pool, 20);
    Object.assign(pool, { totalCount: 20, idleCount: 0, waitingCount: 7 });
    const page = await registry.metrics();
    expect(page).toContain('test_database_connections{state="busy"} 20');
    expect(page).toContain('test_database_connections{state="idle"} 0');
    expect(page).toContain('test_database_connections_max 20');
    expect(page).toContain('test_database_waiting_requests 7');
    expect(page).toMatch(/^nodejs_active_resources\{/m);
    expect(page).not.toMatch(/^nodejs_active_\w+_total/m);
    expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(page).toMatch(/^process_resident_memory_bytes \d/m);
  });
});
