import type { RunAssignment } from '@switchyard/types';
import supertest from 'supertest';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';
import { RUNNER_TOKEN, runnerClient, WITH_RUNNERS } from '../../../../test/runner-client';
import { createApplication, createWorkerApplication } from '../../../http/app';
import { allRoutes } from '../../../http/routes';

describe('runners of a company', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const make = async (body: object = {}, companyId?: string) => {
    const id = companyId ?? (await harness.build.company()).id;
    const path = `/api/companies/${id}/runners`;
    const { body: made } = await harness.api
      .post(path)
      .send({ name: 'Desk', labels: ['office'], ...body })
      .expect(201);
    return { path, made, companyId: id, client: runnerClient(harness, { token: made.token }) };
  };
  const begin = async (companyId: string, client: ReturnType<typeof runnerClient>) => {
    const adapterConfig = { command: 'true', runnerLabels: ['office'] };
    const agent = await harness.build.agent({ companyId, adapterType: 'process', adapterConfig });
    await harness.build.queuedRun(agent.id);
    const [run] = (await client.take()) as [RunAssignment];
    return { agent, run };
  };

  it('return their token only on creation, and are listed with their instances', async () => {
    const { path, made, companyId, client } = await make({ labels: ['office', 'gpu', 'gpu'] });
    expect(made.token).toMatch(/^syr_[\w-]{43}$/);
    const { token, ...shown } = made;
    expect(shown).toMatchObject({
      companyId,
      name: 'Desk',
      labels: ['office', 'gpu'],
      instances: [],
    });
    expect((await harness.api.get(path).expect(200)).body).toEqual([shown]);
    expect(JSON.stringify(await harness.db.runner.findMany())).not.toContain(token);
    const { run } = await begin(companyId, client);
    const [listed] = (await harness.api.get(path).expect(200)).body;
    expect(listed.lastSeenAt).not.toBeNull();
    expect(listed.instances).toMatchObject([
      { name: client.name, capacity: 8, runs: 1, sandbox: { driver: 'off', detail: 'a test' } },
    ]);
    await client.end(run).expect(204);
  });

  it('must have a valid, unique name and valid labels', async () => {
    const { path } = await make();
    const taken = await harness.api.post(path).send({ name: 'DESK' }).expect(409);
    expect(taken.body).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    for (const bad of [
      {},
      { name: '' },
      { name: 'x', labels: 'gpu' },
      { name: 'x', labels: ['A B'] },
      { name: 'x', token: 'mine' },
      { name: 'x\u0000' },
    ]) {
      expect((await harness.api.post(path).send(bad)).status).toBe(400);
    }
  });

  it('lose their runs and their access when they are revoked', async () => {
    const { path, made, companyId, client } = await make();
    const { agent, run } = await begin(companyId, client);
    const token = { Authorization: `Bearer ${run.spec.environment.SERVICE_API_KEY}` };
    await harness.api.get('/api/agents/me').set(token).expect(200);
    await harness.api.delete(`${path}/${made.id}`).expect(204);
    for (const call of [
      client.hello(),
      client.ask(),
      client.leases([run]),
      client.log(run, 0, 'x'),
      client.usage(run, 1),
      client.session(run, 's', '/'),
      client.end(run),
      client.release(run),
      client.post(`checks/${crypto.randomUUID()}`, { findings: [] }),
    ]) {
      expect((await call).body).toMatchObject({ code: 'unauthenticated' });
    }
    await harness.api.get('/api/agents/me').set(token).expect(401);
    const ended = await harness.api.get(`/api/heartbeat-runs/${run.runId}`).expect(200);
    expect(ended.body).toMatchObject({ status: 'failed', errorCode: 'worker_lost' });
    expect(ended.body.error).toContain('revoked');
    const own = runnerClient(harness);
    await own.hello().expect(200);
    expect((await own.end(run)).body).toMatchObject({ code: 'stale_ticket' });
    expect((await harness.api.get(path).expect(200)).body).toEqual([]);
    const before = await everything(harness);
    await harness.api.delete(`${path}/${made.id}`).expect(204);
    expect(await everything(harness)).toEqual(before);
    const { body } = await harness.api.get(`/api/companies/${companyId}/activity`).expect(200);
    const actions = body.map((one: { action: string }) => one.action);
    expect(actions).toEqual(expect.arrayContaining(['runner.created', 'runner.revoked']));
    expect(JSON.stringify(body)).not.toContain(made.token);
    await harness.build.queuedRun(agent.id);
    await make({}, companyId);
  });

  it('receive no run through a call that was waiting when they were revoked', async () => {
    const { path, made, companyId, client } = await make();
    const adapterConfig = { command: 'true', runnerLabels: ['office'] };
    const agent = await harness.build.agent({ companyId, adapterType: 'process', adapterConfig });
    await client.hello().expect(200);
    const waiting = client.next({ waitMs: 1_500 });
    await harness.api.delete(`${path}/${made.id}`).expect(204);
    const run = await harness.build.queuedRun(agent.id);
    expect(await waiting).toEqual({ runs: [], checks: [] });
    const { body } = await harness.api.get(`/api/heartbeat-runs/${run.id}`).expect(200);
    expect(body.status).toBe('queued');
  });

  it('may have at most 100 active instances, and keep only the newest 100 replaced instances', async () => {
    const { client, made } = await make();
    await client.hello().expect(200);
    const [row] = await harness.db.runnerInstance.findMany({ where: { runnerId: made.id } });
    const copies = (count: number, replacedAt: Date | null) =>
      Array.from({ length: count }, (_, at) => ({
        ...row,
        probes: [],
        id: crypto.randomUUID(),
        name: `copy ${at} ${replacedAt}`,
        replacedAt,
      }));
    await harness.db.runnerInstance.createMany({ data: copies(150, new Date()) as never });
    const another = runnerClient(harness, { token: made.token });
    await another.hello().expect(200);
    const where = { runnerId: made.id, replacedAt: { not: null } };
    expect(await harness.db.runnerInstance.count({ where })).toBe(100);
    await harness.db.runnerInstance.createMany({ data: copies(98, null) as never });
    const refused = await runnerClient(harness, { token: made.token }).hello().expect(409);
    expect(refused.body).toMatchObject({ code: 'conflict', details: { limit: 100 } });
    await another.hello().expect(200);
  });

  it('can use only the routes for runners', async () => {
    const { client, made, companyId } = await make();
    const before = await everything(harness);
    for (const authorization of [client.authorization, `Bearer ${RUNNER_TOKEN}`]) {
      for (const { method, path } of allRoutes.filter(
        ({ access }) => !['public', 'webhook', 'runner'].includes(access),
      )) {
        const at = path.replace(':companyId', companyId).replace(':runnerId', made.id);
        const verb = method.toLowerCase() as 'get' | 'post';
        const answer = await harness.api[verb](at.replace(/:\w+/g, made.id))
          .set('Authorization', authorization)
          .send();
        expect({ path, status: answer.status }).toEqual({ path, status: 401 });
      }
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('must send a valid runner token, and cannot use the agents’ listener', async () => {
    const live = await harness.build.liveRun();
    const key = await harness.build.apiKey(live.agent.id);
    const worker = supertest(createWorkerApplication(harness.context, () => false));
    const agents = supertest(createApplication(harness.context, () => false, 'agents'));
    const hello = runnerClient({ runners: worker as never });
    await hello.hello().expect(200);
    await worker.get('/livez').expect(200);
    await worker.get('/api/companies').expect(404);
    for (const door of [harness.api, worker]) {
      for (const credential of [
        undefined,
        live.authorization,
        key,
        'Bearer',
        `Bearer syr_${'x'.repeat(43)}`,
        `Bearer ${RUNNER_TOKEN}x`,
        `Basic ${RUNNER_TOKEN}`,
      ]) {
        const asked = door.post('/api/runner/next').send({});
        if (credential) asked.set('Authorization', credential);
        expect((await asked).body).toMatchObject({ code: 'unauthenticated' });
      }
    }
    const closed = await agents
      .post('/api/runner/hello')
      .set('Authorization', `Bearer ${RUNNER_TOKEN}`)
      .send({});
    expect(closed.status).toBe(404);
  });

  it('receive 400 with the name of the field for a malformed body', async () => {
    const client = runnerClient(harness);
    await client.hello().expect(200);
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'x' },
    });
    await harness.build.queuedRun(agent.id);
    const [run] = (await client.take()) as [RunAssignment];
    const bad: [string, Promise<{ status: number; body: { error: string } }> | unknown][] = [
      ['capacity', client.hello({ capacity: 0 })],
      ['instance', client.hello({ instance: 'me' })],
      ['driver', client.hello({ sandbox: { driver: 'none' as never, detail: '' } })],
      ['name', client.hello({ name: 'a\u0000b' })],
      ['free', client.ask({ free: -1 })],
      ['waitMs', client.ask({ waitMs: 25_001 })],
      ['running', client.ask({ running: ['x'] })],
      ['epoch', client.leases([{ runId: run.runId, epoch: 1.5 }])],
      ['costCents', client.usage(run, 1, { costCents: -1 })],
      ['provider', client.usage(run, 1, { provider: '\ud800' })],
      ['seq', client.usage(run, 0)],
      ['status', client.end(run, { status: 'cancelled' } as never)],
      [
        'errorCode',
        client.end(run, {
          status: 'failed',
          exitCode: 1,
          errorCode: 'Not a code',
          error: '',
          transient: false,
        }),
      ],
      ['exitCode', client.end(run, { status: 'succeeded', exitCode: 2 ** 40 })],
      ['offset', client.log(run, -1, 'x')],
      [
        'X-Run-Ticket',
        client
          .about({ ...run, ticket: '' }, 'end')
          .send({ outcome: { status: 'succeeded', exitCode: 0 } }),
      ],
      ['directory', client.session(run, 's', '')],
    ];
    for (const [field, asked] of bad) {
      const { status, body } = (await asked) as { status: number; body: { error: string } };
      expect({ field, status }).toEqual({ field, status: 400 });
      expect(JSON.stringify(body)).toContain(field);
    }
    await client
      .post('runs/none/end', { outcome: { status: 'aborted', exitCode: null } })
      .expect(404);
    await client.post('checks/none', { findings: [] }).expect(404);
    await client.end(run).expect(204);
  });
});

describe('runners of a company in authenticated mode', () => {
  const harness = useAuthenticatedHarness({ config: WITH_RUNNERS });

  it('can be created and revoked only by owners', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}/runners`;
    for (const role of ['viewer', 'operator'] as const) {
      const person = harness.as(await harness.operator(id, role));
      await person.post(path).send({ name: 'Desk' }).expect(403);
      await person.get(path).expect(200);
    }
    const owner = await harness.operator(id, 'owner');
    const { body } = await harness.as(owner).post(path).send({ name: 'Desk' }).expect(201);
    const stranger = await harness.operator((await harness.build.company()).id, 'owner');
    await harness.as(stranger).get(path).expect(403);
    await harness.as(stranger).delete(`${path}/${body.id}`).expect(403);
    await harness.as(owner).post('/api/runner/hello').send({}).expect(401);
    await harness.as(owner).delete(`${path}/${body.id}`).expect(204);
  });
});
