import { createHmac, randomUUID } from 'node:crypto';
import type { RotatedTriggerView, RoutineRunView, RoutineView } from '@switchyard/types';
import { statementsOf } from '../../../../test/count-statements';
import { useHarness } from '../../../../test/harness';

const seconds = () => Math.floor(Date.now() / 1_000);

describe('POST /api/routine-triggers/public/{publicId}/fire', () => {
  const harness = useHarness();

  const routineOf = () => harness.build.routine({ concurrencyPolicy: 'always_enqueue' });
  const hmacTrigger = (routine: RoutineView) =>
    harness.build.trigger(routine.id, { kind: 'webhook', signingMode: 'hmac_sha256' });
  const sign = (trigger: { secret: string }, body: string | Buffer, at = seconds()) => ({
    'X-Service-Timestamp': String(at),
    'X-Service-Signature': createHmac('sha256', trigger.secret)
      .update(`${at}.`)
      .update(body)
      .digest('hex'),
  });
  const fire = (trigger: { publicId: string }, headers: object, body: string | Buffer = '') =>
    fetch(`${harness.url}/api/routine-triggers/public/${trigger.publicId}/fire`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  const answer = async (response: Response) => {
    const body = (await response.json()) as RoutineRunView & { code?: string };
    return { status: response.status, code: body.code, body };
  };
  const code = async (response: Promise<Response>) => {
    const { status, code: word } = await answer(await response);
    return [status, word];
  };
  const bearer = (trigger: { secret: string }) => ({ authorization: `Bearer ${trigger.secret}` });
  const runsOf = async (routine: RoutineView) =>
    (await harness.api.get(`/api/routines/${routine.id}/runs`).expect(200))
      .body as RoutineRunView[];

  it('accepts the secret as a bearer token, and stores the body', async () => {
    const routine = await routineOf();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const { status, body } = await answer(
      await fire(trigger, bearer(trigger), '{"event": "push"}'),
    );
    expect(status).toBe(202);
    expect(body).toMatchObject({
      source: 'webhook',
      status: 'issue_created',
      triggerId: trigger.id,
      payload: { event: 'push' },
    });
    const wakeups = await harness.db.agentWakeup.findMany({ where: { routineRunId: body.id } });
    expect(wakeups).toMatchObject([{ payload: { event: 'push' } }]);
    const { body: shown } = await harness.api.get(`/api/routines/${routine.id}`).expect(200);
    expect(shown.triggers[0].lastFiredAt).not.toBeNull();
    const issue = await harness.api.get(`/api/issues/${body.linkedIssueId}`).expect(200);
    expect(issue.body).toMatchObject({ createdByUserId: null, createdByAgentId: null });
    const { body: activity } = await harness.api
      .get(`/api/companies/${routine.companyId}/activity?action=routine.fired`)
      .expect(200);
    expect(activity).toMatchObject([{ actorType: 'webhook', entityId: routine.id }]);
  });

  it('creates an issue and a run with exactly 8 SQL statements', async () => {
    const [first, second] = [await routineOf(), await routineOf()];
    for (const { id } of [first, second]) {
      const trigger = await harness.build.trigger(id, { kind: 'webhook' });
      const sent = () => fire(trigger, bearer(trigger), '{"event": "push"}');
      const statements = await statementsOf(harness, async () => {
        expect((await answer(await sent())).body.status).toBe('issue_created');
      });
      expect(statements).toHaveLength(8);
    }
  });

  it('returns the agent run that the firing started or joined, or null if no agent was woken', async () => {
    const routine = await routineOf();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const { body } = await answer(await fire(trigger, bearer(trigger)));
    const run = await harness.db.heartbeatRun.findFirstOrThrow({
      where: { agentId: routine.assigneeAgentId },
    });
    expect(run).toMatchObject({ status: 'queued', routineRunId: body.id });
    expect(body.heartbeatRunId).toBe(run.id);
    const joined = await answer(await fire(trigger, bearer(trigger)));
    expect(joined.body.heartbeatRunId).toBe(run.id);
    await harness.api.post(`/api/agents/${routine.assigneeAgentId}/pause`).send({}).expect(200);
    const paused = await answer(await fire(trigger, bearer(trigger)));
    expect(paused.body).toMatchObject({ status: 'issue_created', heartbeatRunId: null });
    const [wakeup] = await harness.db.agentWakeup.findMany({
      where: { routineRunId: paused.body.id },
    });
    expect(wakeup).toMatchObject({ status: 'skipped', skipReason: 'agent_paused_manual' });
    const { body: skipped } = await harness.api
      .get(`/api/companies/${routine.companyId}/activity?action=wakeup.skipped`)
      .expect(200);
    expect(skipped).toMatchObject([{ actorType: 'system', entityId: routine.assigneeAgentId }]);
  });

  it('returns 409 for an archived company before it checks the signature', async () => {
    const routine = await routineOf();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    await harness.api.post(`/api/companies/${routine.companyId}/archive`).expect(200);
    expect(await code(fire(trigger, bearer(trigger)))).toEqual([409, 'company_archived']);
    expect(await code(fire(trigger, {}))).toEqual([409, 'company_archived']);
  });

  it('accepts a signature over the raw bytes, with or without a content type', async () => {
    const routine = await routineOf();
    const trigger = await hmacTrigger(routine);
    const bodies = ['[{ "b" : 1,\n"a":"ü" }]', '', Buffer.from([0, 255, 10])];
    for (const body of bodies) {
      const headers = { ...sign(trigger, body), 'content-type': '' };
      expect((await fire(trigger, headers, body)).status).toBe(202);
    }
    expect((await runsOf(routine)).map((one) => one.payload?.encoding ?? null)).toEqual([
      'base64',
      null,
      'json',
    ]);
  });

  it('rejects a forged call, an unknown trigger and an oversized body, and stores nothing', async () => {
    const routine = await routineOf();
    const trigger = await hmacTrigger(routine);
    const own = await harness.build.apiKey(routine.assigneeAgentId);
    const forged = [
      fire(trigger, {}, '{}'),
      fire(trigger, sign({ secret: 'x' }, '{}'), '{}'),
      fire(trigger, sign(trigger, '{}'), '{ }'),
      fire(trigger, sign(trigger, '{}', seconds() - 302), '{}'),
      fire(trigger, sign(trigger, '{}', seconds() + 302), '{}'),
      fire(trigger, { authorization: own }, '{}'),
      fire(trigger, bearer(trigger), '{}'),
    ];
    for (const one of forged) expect(await code(one)).toEqual([401, 'invalid_signature']);
    const large = 'x'.repeat(1_048_577);
    expect(await code(fire(trigger, sign(trigger, large), large))).toEqual([413, 'too_large']);
    expect(await code(fire({ publicId: randomUUID() }, {}))).toEqual([404, 'not_found']);
    expect(await code(fire({ publicId: trigger.id }, {}))).toEqual([404, 'not_found']);
    expect(await code(fire({ publicId: "x'" }, {}))).toEqual([404, 'not_found']);
    expect(await runsOf(routine)).toEqual([]);
    expect(await harness.db.webhookSignature.count({ where: { triggerId: trigger.id } })).toBe(0);
  });

  it('accepts a body of one megabyte, and omits the payload from the response', async () => {
    const routine = await routineOf();
    const trigger = await hmacTrigger(routine);
    const body = 'x'.repeat(1_048_576);
    const { status, body: run } = await answer(await fire(trigger, sign(trigger, body), body));
    expect([status, run.payload?.omitted]).toEqual([202, true]);
  });

  it('accepts each signature only once, even in concurrent calls', async () => {
    const routine = await routineOf();
    const trigger = await hmacTrigger(routine);
    const headers = sign(trigger, '{}');
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => code(fire(trigger, headers, '{}'))),
    );
    expect(statuses.filter(([status]) => status === 202)).toHaveLength(1);
    expect(statuses.filter(([, word]) => word === 'replayed')).toHaveLength(9);
    const upper = {
      ...headers,
      'X-Service-Signature': headers['X-Service-Signature'].toUpperCase(),
    };
    expect(await code(fire(trigger, upper, '{}'))).toEqual([409, 'replayed']);
    expect((await fire(trigger, sign(trigger, '{}', seconds() - 60), '{}')).status).toBe(202);
    expect(await runsOf(routine)).toHaveLength(2);
  });

  it('returns the stored response for a repeated Idempotency-Key', async () => {
    const routine = await routineOf();
    const trigger = await hmacTrigger(routine);
    const headers = { ...sign(trigger, '{}'), 'Idempotency-Key': 'delivery-1' };
    const first = await answer(await fire(trigger, headers, '{}'));
    const again = await fire(trigger, headers, '{}');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await answer(again)).body).toEqual(first.body);
    const other = { ...sign(trigger, '{"a":1}'), 'Idempotency-Key': 'delivery-1' };
    expect(await code(fire(trigger, other, '{"a":1}'))).toEqual([409, 'idempotency_conflict']);
    const forged = { ...headers, 'X-Service-Signature': '0'.repeat(64) };
    expect(await code(fire(trigger, forged, '{}'))).toEqual([401, 'invalid_signature']);
    const renamed = { ...headers, 'Idempotency-Key': 'delivery-2' };
    expect(await code(fire(trigger, renamed, '{}'))).toEqual([409, 'replayed']);
    expect(await runsOf(routine)).toHaveLength(1);
  });

  it('rejects the previous secret immediately after a rotation, even in concurrent calls', async () => {
    const routine = await routineOf();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const path = `/api/routine-triggers/${trigger.id}/rotate-secret`;
    const burst = Array.from({ length: 20 }, () => fire(trigger, bearer(trigger)));
    const rotated = (await harness.api.post(path).expect(200)).body as RotatedTriggerView;
    const acceptedBefore = (await runsOf(routine)).length;
    const after = await Promise.all(
      Array.from({ length: 5 }, () => fire(trigger, bearer(trigger))),
    );
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    const statuses = (await Promise.all(burst)).map(({ status }) => status);
    expect(new Set([...statuses, 202, 401])).toEqual(new Set([202, 401]));
    expect((await runsOf(routine)).length).toBe(acceptedBefore);
    expect(rotated.publicId).toBe(trigger.publicId);
    expect((await fire(rotated, bearer(rotated))).status).toBe(202);
  });

  it('returns 409 if the trigger is disabled, or if its routine or company is paused', async () => {
    const routine = await routineOf();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const change = (path: string, body: object) => harness.api.patch(path).send(body).expect(200);
    const at = {
      routine: `/api/routines/${routine.id}`,
      company: `/api/companies/${routine.companyId}`,
    };
    const refusal = () => code(fire(trigger, bearer(trigger)));
    await change(`/api/routine-triggers/${trigger.id}`, { enabled: false });
    expect(await refusal()).toEqual([409, 'trigger_disabled']);
    await change(`/api/routine-triggers/${trigger.id}`, { enabled: true });
    await change(at.routine, { status: 'paused' });
    expect(await refusal()).toEqual([409, 'routine_paused']);
    await change(at.routine, { status: 'active' });
    await change(at.company, { status: 'paused' });
    expect(await refusal()).toEqual([409, 'company_paused']);
    await change(at.company, { status: 'active' });
    await change(at.routine, { status: 'archived' });
    expect(await refusal()).toEqual([409, 'routine_archived']);
    expect(await runsOf(routine)).toEqual([]);
  });

  it('returns no 5xx when 64 firings, checkouts and comments are concurrent', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const first = await answer(await fire(trigger, bearer(trigger)));
    const issue = `/api/issues/${first.body.linkedIssueId}`;
    const claim = { agentId: routine.assigneeAgentId, expectedStatuses: ['todo', 'in_progress'] };
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, at) => {
        if (at % 3 === 0) return (await fire(trigger, bearer(trigger))).status;
        if (at % 3 === 1) return (await harness.api.post(`${issue}/checkout`).send(claim)).status;
        return (await harness.api.post(`${issue}/comments`).send({ body: 'Hello' })).status;
      }),
    );
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    expect(answers.filter((status) => status === 202)).toHaveLength(22);
  });
});

describe('the rate limit of a webhook', () => {
  const limits = { perCredential: null, perAddress: null, perTrigger: 3 };
  const harness = useHarness({ config: { rateLimits: limits } });

  it('applies to each trigger separately, and does not count forged calls', async () => {
    const routine = await harness.build.routine();
    const one = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const other = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const fire = (trigger: RotatedTriggerView, secret = trigger.secret) =>
      harness.api
        .post(`/api/routine-triggers/public/${trigger.publicId}/fire`)
        .set('Authorization', `Bearer ${secret}`);
    for (let count = 0; count < 5; count++) await fire(one, 'forged').expect(401);
    for (let count = 0; count < 3; count++) await fire(one).expect(202);
    const refused = await fire(one).expect(429);
    expect(refused.body.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await fire(other).expect(202);
  });
});
