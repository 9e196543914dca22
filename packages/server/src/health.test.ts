import { EventEmitter } from 'node:events';
import express from 'express';
import supertest from 'supertest';
import { checkHealth, mountProbes, watchPool } from './health';

const ok = () => Promise.resolve();
const never = () => new Promise<void>(() => undefined);
const fails = () => Promise.reject(new Error('hunter2'));
const notStopping = () => false;

describe('checkHealth', () => {
  it('reports ready if every required component is up, even if an observed component is down', async () => {
    const required = { database: ok };
    expect(
      await checkHealth({ required, observed: { redis: fails }, isStopping: notStopping }),
    ).toEqual({ ready: true, components: { database: 'ok', redis: 'unavailable' } });
    expect(await checkHealth({ required: { database: fails }, isStopping: notStopping })).toEqual({
      ready: false,
      components: { database: 'unavailable' },
    });
    expect((await checkHealth({ required, isStopping: () => true })).ready).toBe(false);
  });

  it('returns at its deadline, even if several components never respond', async () => {
    const required = { a: never, b: never, c: never, d: ok };
    const { components } = await checkHealth({ required, isStopping: notStopping, deadlineMs: 20 });
    expect(components).toEqual({ a: 'unavailable', b: 'unavailable', c: 'unavailable', d: 'ok' });
  });

  it('reports a component as unavailable if its check throws', async () => {
    const broken = () => {
      throw new Error('x');
    };
    expect((await checkHealth({ required: { broken }, isStopping: notStopping })).ready).toBe(
      false,
    );
  });
});

describe('mountProbes', () => {
  const state = { stopping: false, database: ok };
  const app = express();
  const database = () => state.database();
  mountProbes(app, { required: { database }, isStopping: () => state.stopping, deadlineMs: 20 });

  it('always returns 200 for liveness, but for readiness only if all required components are up', async () => {
    const probe = supertest(app);
    const components = { database: 'ok' };
    expect((await probe.get('/readyz').expect(200)).body).toEqual({ status: 'ok', components });
    for (const database of [never, fails]) {
      state.database = database;
      const { body, text } = await probe.get('/readyz').expect(503);
      expect(body).toEqual({ status: 'unavailable', components: { database: 'unavailable' } });
      expect(text).not.toContain('hunter2');
      expect((await probe.get('/livez').expect(200)).body).toEqual({ status: 'ok' });
    }
    Object.assign(state, { stopping: true, database: ok });
    expect((await probe.get('/readyz').expect(503)).body).toEqual({
      status: 'stopping',
      components,
    });
    await probe.get('/livez').expect(200);
  });
});

describe('watchPool', () => {
  it('returns how long requests have waited while the pool served none of them', () => {
    const pool = Object.assign(new EventEmitter(), { waitingCount: 0 });
    let time = 0;
    const stalledMs = watchPool(pool, () => time);
    time = 100_000;
    expect(stalledMs()).toBe(0);
    pool.waitingCount = 3;
    expect(stalledMs()).toBe(0);
    time += 9_000;
    expect(stalledMs()).toBe(9_000);
    pool.emit('acquire');
    time += 1_000;
    expect(stalledMs()).toBe(1_000);
    pool.waitingCount = 0;
    expect(stalledMs()).toBe(0);
  });

  it('makes /livez return 503 while isStuck returns true, and 200 afterwards', async () => {
    const app = express();
    const state = { isStuck: true };
    mountProbes(app, { required: {}, isStopping: notStopping, isStuck: () => state.isStuck });
    expect((await supertest(app).get('/livez').expect(503)).body.status).toBe('unavailable');
    state.isStuck = false;
    await supertest(app).get('/livez').expect(200);
  });
});
