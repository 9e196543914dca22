import { until } from '@switchyard/testing';
import type { RunAssignment } from '@switchyard/types';
import { Queue } from 'bullmq';
import { useHarness } from '../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { claimNextRun } from '../runs/claim/claim-next-run';
import { createRunSlots } from '../runs/claim/run-slots';

describe('POST /api/runner/next', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const command = (config: object = {}) => ({
    adapterType: 'process',
    adapterConfig: { command: 'true', ...config },
  });
  const agent = (config: object = {}, companyId?: string) =>
    harness.build.agent({ ...command(config), ...(companyId && { companyId }) });
  const statusOf = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body;
  const companyRunner = async (labels: string[], companyId?: string) => {
    const id = companyId ?? (await harness.build.company()).id;
    const made = await harness.api
      .post(`/api/companies/${id}/runners`)
      .send({ name: `of ${id}`, labels })
      .expect(201);
    const { token } = made.body;
    return { companyId: id, runnerId: made.body.id, client: runnerClient(harness, { token }) };
  };

  afterEach(async () => {
    await harness.db.heartbeatRun.updateMany({
      where: { status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
  });

  it.each([
    ['claude_code', 'model_a_local'],
    ['codex', 'model_b_local'],
    ['opencode', 'model_c_local'],
  ])('sends the adapter %s under its internal type', async (alias, type) => {
    const { id } = await harness.build.agent({ adapterType: alias, adapterConfig: {} });
    await harness.build.queuedRun(id);
    const [assigned] = await runnerClient(harness).take();
    expect(assigned?.spec).toMatchObject({ agentId: id, adapterType: type });
  });

  it('with run pods enabled, sends only runs with labels', async () => {
    const [plain, labelled] = [await agent(), await agent({ runnerLabels: ['office'] })];
    for (const { id } of [plain, labelled]) await harness.build.queuedRun(id);
    const { config } = harness.context;
    const { pods: before } = config;
    const cluster = { url: 'https://127.0.0.1', credentials: '/nowhere', namespace: 'runs' };
    const placed = { template: 't', instance: 'i', labels: [], limit: 1, startMs: 1, cluster };
    config.pods = placed;
    try {
      expect(await runnerClient(harness).take()).toEqual([]);
      const [taken] = await runnerClient(harness, { labels: ['office'] }).take({ free: 1 });
      expect(taken).toBeDefined();
    } finally {
      config.pods = before;
    }
  });

  it('sends agentApiUrl to runners of the installation and publicUrl to runners of a company', async () => {
    const { agentApiUrl: before, publicUrl } = harness.config;
    const agentApiUrl = 'http://agents.internal:3102';
    harness.context.config.agentApiUrl = agentApiUrl;
    await harness.build.queuedRun((await agent()).id);
    expect(await runnerClient(harness).take()).toMatchObject([{ spec: { apiUrl: agentApiUrl } }]);
    const { companyId, client } = await companyRunner(['office']);
    await harness.build.queuedRun((await agent({ runnerLabels: ['office'] }, companyId)).id);
    expect(await client.take()).toMatchObject([{ spec: { apiUrl: publicUrl } }]);
    harness.context.config.agentApiUrl = before;
  });

  it('sends a run with its full specification to only one of two runners', async () => {
    const secret = await harness.build.secret({ value: 'the value of a secret' });
    const { companyId } = secret;
    const env = { KEY: { type: 'secret_ref', secretId: secret.id }, PLAIN: 'plain' };
    await harness.api
      .patch(`/api/companies/${companyId}`)
      .send({ egressAllowList: ['example.com'] })
      .expect(200);
    const { id: agentId, name: agentName } = await agent({ env }, companyId);
    const issue = await harness.build.issue({ companyId, title: 'Paint it' });
    const run = await harness.build.queuedRun(agentId, { issueId: issue.id });
    const runners = [runnerClient(harness), runnerClient(harness)];
    const taken = (await Promise.all(runners.map((runner) => runner.take()))).flat();
    expect(taken).toHaveLength(1);
    const [{ runId, epoch, ticket, spec }] = taken as [RunAssignment];
    expect({ runId, epoch }).toEqual({ runId: run.id, epoch: 1 });
    expect(ticket).toMatch(/^[\w-]{43}$/);
    expect(spec).toMatchObject({
      companyId,
      agentId,
      agentName,
      adapterType: 'process',
      config: { command: 'true', timeoutSec: 3_600 },
      environment: {
        KEY: 'the value of a secret',
        PLAIN: 'plain',
        SERVICE_RUN_ID: runId,
        SERVICE_ISSUE_ID: issue.id,
      },
      wakes: [{ issueId: issue.id, title: 'Paint it' }],
      facts: null,
      session: null,
      workspace: null,
      repositoryCredential: null,
      logBytes: 0,
      attempt: 1,
      allowList: ['example.com'],
    });
    expect(spec.secrets).toEqual(
      expect.arrayContaining(['the value of a secret', spec.environment.SERVICE_API_KEY]),
    );
    expect(spec.secrets).not.toContain('plain');
    expect(await statusOf(runId)).toMatchObject({ status: 'running' });
    const stored = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
    expect(Buffer.from(stored.ticketHash ?? []).toString()).not.toContain(ticket);
    expect([runners[0]?.instance, runners[1]?.instance]).toContain(stored.runnerInstance);
  });

  it('sends only runs whose adapter starts a process, and leaves all other runs to workers', async () => {
    const scripted = await harness.build.queuedRun((await harness.build.agent()).id);
    const own = await harness.build.queuedRun((await agent()).id);
    const worker = { context: harness.context, workerId: 'w', slots: createRunSlots(4) };
    const claimed = await claimNextRun(worker, own.id);
    expect(claimed?.run.id).toBe(scripted.id);
    expect(await claimNextRun(worker, own.id)).toBeNull();
    expect(await statusOf(own.id)).toMatchObject({ status: 'queued' });
    const [taken, ...none] = await runnerClient(harness).take();
    expect(taken?.runId).toBe(own.id);
    expect(none).toEqual([]);
  });

  it('sends the data for the prompt, and the previous conversation about the issue', async () => {
    const made = await harness.build.agent({ adapterType: 'claude_code', adapterConfig: {} });
    const { companyId } = made;
    const issue = await harness.build.issue({ companyId, title: 'Write it' });
    await harness.build.queuedRun(made.id, { issueId: issue.id });
    const runner = runnerClient(harness);
    const [first] = (await runner.take()) as [RunAssignment];
    expect(first.spec.facts).toMatchObject({
      agent: { name: made.name },
      issue: { title: 'Write it' },
    });
    expect(first.spec.session).toBeNull();
    await runner.session(first, 'conversation', '/somewhere').expect(204);
    await runner.end(first).expect(204);
    await harness.build.queuedRun(made.id, { issueId: issue.id });
    const [second] = (await runner.take()) as [RunAssignment];
    expect(second.spec.session).toMatchObject({ id: 'conversation', directory: '/somewhere' });
  });

  it('marks runs that cannot start as failed, and sends the next run', async () => {
    const lost = await agent({ env: { KEY: 'x' } });
    const bad = await harness.build.queuedRun(lost.id);
    await harness.db.agent.update({
      where: { id: lost.id },
      data: { adapterConfig: { command: '' } },
    });
    const good = await harness.build.queuedRun((await agent()).id);
    const taken = await runnerClient(harness).take();
    expect(taken.map(({ runId }) => runId)).toEqual([good.id]);
    expect(await statusOf(bad.id)).toMatchObject({ status: 'failed', errorCode: 'bad_config' });
  });

  it('sends no more runs than free slots, and no more than a company’s fair share', async () => {
    const company = await harness.build.company();
    for (let i = 0; i < 4; i++) await harness.build.queuedRun((await agent({}, company.id)).id);
    const runner = runnerClient(harness);
    expect(await runner.take({ free: 0 })).toEqual([]);
    const first = await runner.take({ free: 1 });
    expect(first).toHaveLength(1);
    const running = first.map(({ runId }) => runId);
    const more = await runner.take({ free: 3, running });
    expect(more).toHaveLength(2);
    const other = await harness.build.queuedRun((await agent()).id);
    const held = [...running, ...more.map(({ runId }) => runId)];
    const rest = await runner.take({ free: 1, running: held });
    expect(rest.map(({ runId }) => runId)).toEqual([other.id]);
  });

  it('sends a company’s next run to a waiting call when a run of the company ends', async () => {
    const company = await harness.build.company();
    const queue = async () => harness.build.queuedRun((await agent({}, company.id)).id);
    const runner = runnerClient(harness);
    await queue();
    const [first] = (await runner.take({ free: 2 })) as [RunAssignment];
    const next = await queue();
    const asked = { free: 1, running: [first.runId] };
    expect(await runner.take(asked)).toEqual([]);
    const waiting = runner.next({ ...asked, waitMs: 20_000 });
    await runner.end(first).expect(204);
    expect((await waiting).runs.map(({ runId }) => runId)).toEqual([next.id]);
  });

  it('sends no more runs of an agent than its maxConcurrentRuns', async () => {
    const made = await agent();
    await harness.build.queuedRun(made.id);
    const runner = runnerClient(harness);
    const [first] = (await runner.take()) as [RunAssignment];
    await harness.build.queuedRun(made.id);
    expect(await runner.take({ running: [first.runId] })).toEqual([]);
    await runner.end(first).expect(204);
    expect(await runner.take()).toHaveLength(1);
  });

  it('waits until a run is queued', async () => {
    const made = await agent();
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const waiting = runner.next({ waitMs: 20_000 });
    const run = await harness.build.queuedRun(made.id);
    expect((await waiting).runs.map(({ runId }) => runId)).toEqual([run.id]);
    expect(await runner.next({ waitMs: 1, running: [run.id] })).toEqual({ runs: [], checks: [] });
  });

  it('uses the slot of a run that ends while the call waits', async () => {
    const runner = runnerClient(harness);
    const { id: agentId } = await agent();
    await harness.build.queuedRun(agentId);
    const [held] = (await runner.take({ free: 1 })) as [RunAssignment];
    const waiting = runner.next({ free: 0, running: [held.runId], waitMs: 20_000 });
    const next = await harness.build.queuedRun(agentId);
    await runner.end(held).expect(204);
    expect(await waiting).toMatchObject({ runs: [{ runId: next.id }] });
  });

  it('uses the slot of a run that has ended, even if the runner still lists it', async () => {
    const runner = runnerClient(harness);
    const { id: agentId } = await agent();
    await harness.build.queuedRun(agentId);
    const [held] = (await runner.take({ free: 1 })) as [RunAssignment];
    await runner.end(held).expect(204);
    const next = await harness.build.queuedRun(agentId);
    const work = await runner.next({ free: 0, running: [held.runId] });
    expect(work).toMatchObject({ runs: [{ runId: next.id }] });
  });

  it('returns when an agent of the runner is invoked, without adding a job for workers', async () => {
    const { config, context } = harness;
    const connection = context.queues.producer;
    const jobs = new Queue('heartbeat-runs', { connection, prefix: config.redisPrefix });
    const invoke = async (agentId: string) =>
      (await harness.api.post(`/api/agents/${agentId}/heartbeat/invoke`).expect(202)).body;
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const before = await jobs.getWaitingCount();
    const waiting = runner.next({ waitMs: 20_000 });
    const invoked = await invoke((await agent()).id);
    expect(await waiting).toMatchObject({ runs: [{ runId: invoked.id }] });
    expect(await jobs.getWaitingCount()).toBe(before);
    await invoke((await harness.build.agent()).id);
    expect(await jobs.getWaitingCount()).toBe(before + 1);
    await jobs.close();
  });

  it('ends a waiting call when the same runner calls again', async () => {
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    let ended: unknown = null;
    const first = runner.next({ waitMs: 20_000 }).then((work) => {
      ended = work;
    });
    await until('the end of the first call', async () => {
      await runner.next({ waitMs: 0 });
      return ended !== null;
    });
    await first;
    expect(ended).toEqual({ runs: [], checks: [] });
  });

  it.each([
    ['its runner', {}],
    ['a runner that does not number its requests', { seq: undefined }],
  ])(
    'requeues a run without losing an attempt if the response did not reach %s',
    async (_, unnumbered) => {
      const runner = runnerClient(harness);
      const run = await harness.build.queuedRun((await agent()).id);
      const [lost] = (await runner.take(unnumbered)) as [RunAssignment];
      const [again] = await runner.take(unnumbered);
      expect(again).toMatchObject({ runId: run.id, epoch: 2, spec: { attempt: 1 } });
      expect((await runner.end(lost)).body).toMatchObject({ code: 'stale_ticket' });
      const kept = await runner.take({ ...unnumbered, running: [run.id] });
      expect(kept).toEqual([]);
      await runner.end(again as RunAssignment).expect(204);
    },
  );

  it('does not requeue runs when an older request arrives after a newer request', async () => {
    const runner = runnerClient(harness);
    await harness.build.queuedRun((await agent()).id);
    const overtaken = { seq: runner.nextSeq(), running: [], waitMs: 20_000 };
    const [given] = (await runner.take()) as [RunAssignment];
    const waiting = runner.next({ running: [given.runId], waitMs: 20_000 });
    expect(await runner.next(overtaken)).toEqual({ runs: [], checks: [] });
    const next = await harness.build.queuedRun((await agent()).id);
    expect(await waiting).toMatchObject({ runs: [{ runId: next.id }] });
    expect((await runner.leases([given])).body.runs).toMatchObject([{ state: 'held' }]);
    expect(await runner.next({ ...overtaken, free: 0, waitMs: 0 })).toEqual({
      runs: [],
      checks: [],
    });
    await runner.end(given).expect(204);
  });

  it('returns 409 before the first hello of the runner', async () => {
    const runner = runnerClient(harness);
    const refused = await runner.ask().expect(409);
    expect(refused.body).toMatchObject({ code: 'unknown_instance' });
  });

  describe('runner labels', () => {
    it('restrict a run to runners that have all labels of the run', async () => {
      const plain = await harness.build.queuedRun((await agent()).id);
      const gpu = await harness.build.queuedRun((await agent({ runnerLabels: ['gpu'] })).id);
      const both = await harness.build.queuedRun(
        (await agent({ runnerLabels: ['gpu', 'linux'] })).id,
      );
      const idsOf = (runs: RunAssignment[]) => runs.map(({ runId }) => runId).sort();
      const none = runnerClient(harness);
      expect(idsOf(await none.take())).toEqual([plain.id]);
      const one = runnerClient(harness, { labels: ['gpu'] });
      expect(idsOf(await one.take())).toEqual([gpu.id]);
      const all = runnerClient(harness, { labels: ['linux', 'gpu', 'fast'] });
      expect(idsOf(await all.take())).toEqual([both.id]);
    });

    it('must be a list of lower-case words in the agent’s configuration', async () => {
      for (const runnerLabels of ['gpu', ['GPU'], [''], ['a b'], [1], Array(40).fill('a')]) {
        const refused = await harness.api
          .post(`/api/companies/${(await harness.build.company()).id}/agents`)
          .send({ name: 'A', role: 'engineer', ...command({ runnerLabels }) });
        expect(refused.status).toBe(400);
        expect(JSON.stringify(refused.body)).toContain('runnerLabels');
      }
    });
  });

  describe('for a runner of a company', () => {
    it('sends only runs of that company that require a label of the runner', async () => {
      const { companyId, client } = await companyRunner(['office']);
      await harness.build.queuedRun((await agent({}, companyId)).id);
      await harness.build.queuedRun((await agent({ runnerLabels: ['office'] })).id);
      await harness.build.queuedRun((await agent({ runnerLabels: ['gpu'] }, companyId)).id);
      const run = await harness.build.queuedRun(
        (await agent({ runnerLabels: ['office'] }, companyId)).id,
      );
      const taken = await client.take();
      expect(taken.map(({ runId }) => runId)).toEqual([run.id]);
    });

    it('requires a registration (POST /api/runner/hello) with labels that the board has assigned to the runner', async () => {
      const { client } = await companyRunner(['office', 'gpu']);
      const refused = await client.hello({ labels: ['office', 'root'] }).expect(400);
      expect(refused.body).toMatchObject({ code: 'validation_error' });
      expect(refused.body.error).toContain('root');
      await client.hello({ labels: ['gpu'] }).expect(200);
    });

    it('rejects the instance of another runner, and other routes reject the tickets of that runner', async () => {
      await harness.build.queuedRun((await agent()).id);
      const own = runnerClient(harness);
      const [run] = (await own.take()) as [RunAssignment];
      const { client } = await companyRunner(['office']);
      await client.hello({ instance: own.instance }).expect(409);
      await client.hello().expect(200);
      const asked = await client.ask({ instance: own.instance }).expect(409);
      expect(asked.body.code).toBe('unknown_instance');
      for (const call of [
        client.log(run, 0, 'x'),
        client.usage(run, 1),
        client.session(run, 's', '/'),
        client.end(run),
        client.release(run),
      ]) {
        expect((await call).body).toMatchObject({ code: 'stale_ticket' });
      }
      const leases = await client.post('leases', {
        instance: own.instance,
        runs: [{ runId: run.runId, epoch: run.epoch }],
      });
      expect(leases.body).toEqual({ runs: [{ runId: run.runId, state: 'lost' }] });
      await own.end(run).expect(204);
    });
  });
});
