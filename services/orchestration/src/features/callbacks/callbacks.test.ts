import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { useHarness } from '../../../test/harness';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { openReceiver, WEBHOOK_SECRET } from '../../../test/webhook-receiver';
import { deliverNow } from './start-deliveries';

describe('callbacks', () => {
  const harness = useHarness();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.calls.length = 0;
    receiver.answer = (_call, response) => void response.writeHead(204).end();
  });

  const fields = () => ({
    callbackUrl: `${receiver.url}/resume?execution=7&signature=a%2Fb`,
    callbackSecret: WEBHOOK_SECRET,
  });
  const deliver = () => deliverNow(harness.context);
  const bodies = () => receiver.calls.map(({ body }) => JSON.parse(body));
  const create = (companyId: string, body: object) =>
    harness.api.post(`/api/companies/${companyId}/issues`).send({ title: 'Tidy up', ...body });
  const stateOf = async (issueId: string) =>
    (await harness.api.get(`/api/issues/${issueId}`).expect(200)).body.callback;
  const stateOfRun = async (runId: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${runId}`).expect(200)).body.callback;
  const passPauses = () =>
    harness.context.db.pool.query(
      `UPDATE delivery SET next_attempt_at = now() - interval '1 s' WHERE next_attempt_at IS NOT NULL`,
    );

  it('report the end of an issue once, to the exact URL and with a signature', async () => {
    const agent = await harness.build.agent();
    const { companyId } = agent;
    const { body: issue } = await create(companyId, fields()).expect(201);
    await harness.api.put(`/api/issues/${issue.id}/documents/plan`).send({
      ...{ title: 'Plan', format: 'markdown', body: 'First' },
    });
    const run = await harness.build.liveRun(agent);
    await harness.api
      .post(`/api/issues/${issue.id}/comments`)
      .set('Authorization', run.authorization)
      .send({ body: 'All tidy.\n\nDetails follow.' })
      .expect(201);
    expect(await deliver()).toBe(0);
    expect(await stateOf(issue.id)).toBe('pending');

    await harness.api.post(`/api/issues/${issue.id}/complete`).send({}).expect(200);
    expect(await stateOf(issue.id)).toBe('pending');
    expect(await deliver()).toBe(1);
    expect(await deliver()).toBe(0);
    expect(await stateOf(issue.id)).toBe('delivered');
    const [call] = receiver.calls;
    expect(call?.path).toBe('/resume?execution=7&signature=a%2Fb');
    expect(call?.headers['webhook-id']).toMatch(/^cb_[0-9a-f-]{36}$/);
    expect(receiver.verified(call)).toMatchObject({
      type: 'issue.ended',
      handle: { type: 'issue', id: issue.id },
      status: 'done',
      summary: 'All tidy.',
      result: 'All tidy.\n\nDetails follow.',
      cost: { cents: 0, inputTokens: 0, outputTokens: 0 },
      documents: [{ key: 'plan', title: 'Plan', link: expect.stringContaining(issue.id) }],
      link: expect.stringContaining(`/issues/${issue.identifier}`),
    });
  });

  it('report an issue that is created as done, but do not report a second end of an issue', async () => {
    const { id: companyId } = await harness.build.company();
    const { body: done } = await create(companyId, { status: 'done', ...fields() }).expect(201);
    expect(await deliver()).toBe(1);
    await harness.api.post(`/api/issues/${done.id}/reopen`).send({}).expect(200);
    await harness.api.post(`/api/issues/${done.id}/complete`).send({}).expect(200);
    expect(await deliver()).toBe(0);
    expect(bodies()).toMatchObject([{ status: 'done' }]);
  });

  it('repeat the same body with the same id until the receiver returns 2xx', async () => {
    const { id: companyId } = await harness.build.company();
    const { body: issue } = await create(companyId, fields()).expect(201);
    await harness.api.patch(`/api/issues/${issue.id}`).send({ status: 'cancelled' }).expect(200);
    receiver.answer = (_call, response) => void response.writeHead(500).end();
    expect(await deliver()).toBe(0);
    await harness.api.post(`/api/issues/${issue.id}/reopen`).send({}).expect(200);
    receiver.answer = (_call, response) =>
      void response.writeHead(302, { Location: `${receiver.url}/elsewhere` }).end();
    await passPauses();
    expect(await deliver()).toBe(0);
    expect(await stateOf(issue.id)).toBe('pending');
    receiver.answer = (_call, response) => void response.writeHead(200).end();
    await passPauses();
    expect(await deliver()).toBe(1);
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.calls.map(({ path }) => path)).toEqual(Array(3).fill(receiver.calls[0]?.path));
    expect(bodies()[0]).toMatchObject({ status: 'cancelled' });
    expect(await stateOf(issue.id)).toBe('delivered');
  });

  it('stop after a 410, and then have the state `given_up`', async () => {
    const { id: companyId } = await harness.build.company();
    const { body: issue } = await create(companyId, { status: 'done', ...fields() }).expect(201);
    receiver.answer = (_call, response) => void response.writeHead(410).end();
    expect(await deliver()).toBe(0);
    await passPauses();
    expect(await deliver()).toBe(0);
    expect(receiver.calls).toHaveLength(1);
    expect(await stateOf(issue.id)).toBe('given_up');
  });

  it('report the final outcome of a run, after the retry of a transient failure', async () => {
    const agent = await harness.build.agent();
    const busy: AdapterOutcome = {
      status: 'failed',
      exitCode: 1,
      errorCode: 'http_503',
      error: 'busy',
      transient: true,
      retryAfterMs: 0,
    };
    const outcomes = [busy, SUCCEEDED];
    harness.scripted.on(agent.id, () => outcomes.shift() ?? SUCCEEDED);
    const path = `/api/agents/${agent.id}/heartbeat/invoke`;
    const { body: run } = await harness.api.post(path).send(fields()).expect(202);
    expect(await stateOfRun(run.id)).toBe('pending');
    await harness.drain();
    expect(await deliver()).toBe(1);
    expect(bodies()).toMatchObject([
      { type: 'run.ended', handle: { type: 'run', id: run.id }, status: 'succeeded' },
    ]);
    expect(bodies()[0].link).not.toContain(run.id);
    expect(await stateOfRun(run.id)).toBe('delivered');
  });

  it('report a permanent failure once to each caller that shares the run', async () => {
    const agent = await harness.build.agent();
    harness.scripted.on(agent.id, () => ({
      status: 'failed',
      exitCode: 3,
      errorCode: 'exit_code',
      error: 'it broke',
      transient: false,
    }));
    const path = `/api/agents/${agent.id}/heartbeat/invoke`;
    await harness.api.post(path).send(fields()).expect(202);
    await harness.api.post(path).send(fields()).expect(202);
    await harness.drain();
    expect(await deliver()).toBe(2);
    for (const body of bodies()) {
      expect(body).toMatchObject({ status: 'failed', summary: 'it broke' });
    }
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('report the end of a firing to its caller, and to the callers of firings that were merged into it', async () => {
    const { api } = harness;
    const routine = await harness.build.routine();
    const fire = () => api.post(`/api/routines/${routine.id}/run`).send(fields()).expect(202);
    const [{ body: first }, { body: second }] = [await fire(), await fire()];
    expect(second).toMatchObject({ status: 'coalesced', activeRoutineRunId: first.id });
    expect(await deliver()).toBe(0);
    await api.post(`/api/issues/${first.linkedIssueId}/complete`).send({}).expect(200);
    expect(await deliver()).toBe(2);
    const handles = bodies().map(({ handle, status }) => [handle.type, handle.id, status]);
    expect(handles.sort()).toEqual(
      [first.id, second.id].map((id) => ['routine_run', id, 'completed']).sort(),
    );
    const { body } = await api.get(`/api/routines/${routine.id}/runs/${second.id}`).expect(200);
    expect(body.callback).toBe('delivered');
  });

  it('can be requested in headers by the sender of a webhook', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const fire = (url: string) =>
      harness.api
        .post(`/api/routine-triggers/public/${trigger.publicId}/fire`)
        .set('Authorization', `Bearer ${trigger.secret}`)
        .set('X-Service-Callback-Url', url)
        .set('X-Service-Callback-Secret', WEBHOOK_SECRET)
        .send({ any: 'thing' });
    const { body: refused } = await fire('ftp://example.com/').expect(400);
    expect(refused.error).toContain('X-Service-Callback-Url');
    const { body: run } = await fire(`${receiver.url}/fired`).expect(202);
    await harness.api.post(`/api/issues/${run.linkedIssueId}/complete`).send({}).expect(200);
    expect(await deliver()).toBe(1);
    expect(receiver.verified(receiver.calls[0])).toMatchObject({ handle: { id: run.id } });
  });

  it('have no signature if the request contained no secret', async () => {
    const { id: companyId } = await harness.build.company();
    await create(companyId, { status: 'done', callbackUrl: receiver.url }).expect(201);
    expect(await deliver()).toBe(1);
    expect(receiver.calls[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it.each([
    [{ callbackUrl: 'ftp://example.com/' }, 'callbackUrl'],
    [{ callbackUrl: 'nothing' }, 'callbackUrl'],
    [{ callbackUrl: 'https://me:secret@example.com/' }, 'callbackUrl'],
    [{ callbackUrl: 'http://10.0.0.8/' }, 'callbackUrl'],
    [{ callbackUrl: 'http://169.254.169.254/latest/meta-data' }, 'callbackUrl'],
    [{ callbackUrl: 'https://example.com/', callbackSecret: 'short' }, 'callbackSecret'],
    [{ callbackSecret: WEBHOOK_SECRET }, 'callbackSecret'],
  ])(
    'cannot be requested with %j: the response is 400, and nothing is stored',
    async (body, field) => {
      const { id: companyId } = await harness.build.company();
      const answer = await create(companyId, body).expect(400);
      expect(answer.body.error).toContain(field);
      expect(await harness.db.issue.count({ where: { companyId } })).toBe(0);
    },
  );

  it('cannot be requested by agents, because callbacks would bypass the network rules', async () => {
    const run = await harness.build.liveRun();
    await create(run.agent.companyId, fields()).set('Authorization', run.authorization).expect(403);
    await harness.api
      .post(`/api/agents/${run.agent.id}/heartbeat/invoke`)
      .set('Authorization', run.authorization)
      .send(fields())
      .expect(403);
    expect(await harness.db.delivery.count({ where: { companyId: run.agent.companyId } })).toBe(0);
  });

  it('store their address and secret only as ciphertext', async () => {
    const { id: companyId } = await harness.build.company();
    await create(companyId, fields()).expect(201);
    const rows = await harness.db.delivery.findMany({ where: { companyId } });
    const text = JSON.stringify(
      rows.map((row) => ({ ...row, target: Buffer.from(row.target ?? []).toString('latin1') })),
    );
    expect(text).not.toContain('signature=');
    expect(text).not.toContain(WEBHOOK_SECRET.slice(6, 20));
  });
});
