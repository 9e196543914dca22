import { connectQueues, connectShared } from '@switchyard/queue';
import { type Gate, openGate, redisUrl, until } from '@switchyard/testing';
import { startApiProcess } from './api-process';
import { useHarness } from './harness';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

const AGAIN_MS = 30_000;

const ask = (url: string) => fetch(url, { signal: AbortSignal.timeout(AGAIN_MS) });

describe('a server that stops responding on open connections', () => {
  const harness = useHarness();
  const gates: Gate[] = [];
  const running: WorkerProcess[] = [];

  const gateTo = async (url: string) => {
    const gate = await openGate(url);
    gates.push(gate);
    return gate;
  };
  afterEach(async () => {
    for (const each of running.splice(0)) {
      each.signal('SIGKILL');
      await each.ended;
    }
    for (const gate of gates.splice(0)) await gate.close();
  });

  const readiness = async (url: string) => {
    const answer = await ask(`${url}/readyz`);
    const { components } = (await answer.json()) as { components: Record<string, string> };
    return { status: answer.status, redis: components.redis };
  };

  it('makes the API not ready until the API has reconnected to PostgreSQL', async () => {
    const gate = await gateTo(harness.database.url);
    const few = { DATABASE_URL: gate.url, DATABASE_POOL_SIZE: '4' };
    const api = await startApiProcess(harness.config, few);
    running.push(api);
    const list = () =>
      ask(`${api.url}/api/companies`).then(
        ({ status }) => status,
        () => null,
      );
    const clients = Array.from({ length: 24 }, async () => {
      while ((await list()) !== null);
    });
    const serves = async () =>
      (await Promise.all(Array.from({ length: 24 }, list))).every((status) => status === 200);
    await until('the pool to be full', serves);
    gate.silence();
    await until('the API to say so', async () => (await readiness(api.url)).status === 503);
    await until('the API to serve again', serves, AGAIN_MS);
    await until('the API to be ready', async () => (await readiness(api.url)).status === 200);
    expect((await ask(`${api.url}/livez`)).status).toBe(200);
    api.signal('SIGKILL');
    await Promise.all(clients);
  });

  it('makes a sweep of the worker fail until the worker has reconnected to PostgreSQL', async () => {
    const gate = await gateTo(harness.database.url);
    const worker = await startWorkerProcess(harness.config, { DATABASE_URL: gate.url });
    running.push(worker);
    const failures = async () => {
      const page = await (await fetch(`${worker.url}/metrics`)).text();
      return Number(/^switchyard_sweep_failures_total (\d+)/m.exec(page)?.[1]);
    };
    await until('the worker to be ready', async () => (await readiness(worker.url)).status === 200);
    gate.silence();
    await until('a failure to be counted', async () => (await failures()) > 0, AGAIN_MS);
    await harness.asOwner(
      `INSERT INTO idempotency_record (scope, key, request_hash, created_at)
       VALUES ('scope', 'key', '-', now() - interval '1 year')`,
    );
    const left = () => harness.db.idempotencyRecord.count();
    await until('the worker to sweep again', async () => (await left()) === 0, AGAIN_MS);
  });

  it('makes API and worker report Redis as unavailable until they have reconnected to Redis', async () => {
    const gate = await gateTo(redisUrl());
    const started = [
      await startApiProcess(harness.config, { REDIS_URL: gate.url }),
      await startWorkerProcess(harness.config, { REDIS_URL: gate.url }),
    ];
    running.push(...started);
    const all = async (state: string) => {
      const seen = await Promise.all(started.map(({ url }) => readiness(url)));
      return seen.every(({ redis }) => redis === state);
    };
    await until('Redis to be there', () => all('ok'));
    gate.silence();
    await until('both to say so', () => all('unavailable'));
    await until('both to be connected again', () => all('ok'), AGAIN_MS);
  });

  it('has each of its Redis connections replaced, regardless of the connection’s purpose', async () => {
    const gate = await gateTo(redisUrl());
    const ignore = () => undefined;
    const { close, ...queues } = connectQueues(gate.url, ignore);
    const shared = connectShared(gate.url, ignore);
    const connections = Object.entries({ ...queues, shared });
    try {
      await Promise.all([queues.subscriber.connect(), shared.connect()]);
      await until('all connections', () =>
        connections.every(([, { status }]) => status === 'ready'),
      );
      const stale = new Set(connections.map(([name]) => name));
      for (const [name, connection] of connections) {
        connection.once('ready', () => stale.delete(name));
      }
      gate.silence();
      shared.ping().catch(ignore);
      await until('new connections', () => stale.size === 0, AGAIN_MS).catch(ignore);
      expect([...stale]).toEqual([]);
    } finally {
      await close();
      shared.disconnect();
    }
  });
});
