import { createHmac, randomUUID } from 'node:crypto';
import type {
  ConcurrencyPolicy,
  CreatedTriggerView,
  RoutineRunView,
  SigningMode,
} from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

const seconds = () => Math.floor(Date.now() / 1_000);
type Webhook = CreatedTriggerView & { kind: 'webhook' };

describe('a webhook of Slack, GitHub or Stripe', () => {
  const harness = useHarness();

  const triggerOf = async (
    signingMode: SigningMode,
    secret?: string,
    concurrencyPolicy: ConcurrencyPolicy = 'always_enqueue',
  ) => {
    const routine = await harness.build.routine({ concurrencyPolicy });
    const { body } = await harness.api
      .post(`/api/routines/${routine.id}/triggers`)
      .send({ kind: 'webhook', signingMode, ...(secret && { secret }) })
      .expect(201);
    return { routine, trigger: body as Webhook };
  };
  const hmac = (secret: string, ...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('')).digest('hex');
  const slack = (secret: string, body: string, at = seconds()) => ({
    'X-Slack-Request-Timestamp': String(at),
    'X-Slack-Signature': `v0=${hmac(secret, `v0:${at}:`, body)}`,
  });
  const send = (trigger: Webhook, headers: Record<string, string>, body: string) =>
    harness.api
      .post(`/api/routine-triggers/public/${trigger.publicId}/fire`)
      .set({ 'Content-Type': 'application/json', ...headers })
      .send(body);
  const runsOf = async (routineId: string) =>
    (await harness.api.get(`/api/routines/${routineId}/runs`).expect(200)).body as RoutineRunView[];

  const question = JSON.stringify({ token: 'x', challenge: '3eZb rw1a', type: 'url_verification' });

  it('returns the challenge of Slack’s URL check without firing a run', async () => {
    const { routine, trigger } = await triggerOf('slack', '8f742231b10e8888abcd99yyyzzz85a5');
    const { secret } = trigger;
    const answer = await send(trigger, slack(secret, question), question).expect(200);
    expect(answer.body).toEqual({ challenge: '3eZb rw1a' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    await send(trigger, slack(secret, question), question).expect(200);
    expect(await runsOf(routine.id)).toEqual([]);
    const event = JSON.stringify({ type: 'event_callback', challenge: 'x' });
    await send(trigger, slack(secret, event), event).expect(202);
    expect(await runsOf(routine.id)).toHaveLength(1);
  });

  it('returns the challenge only in mode slack and with a valid signature', async () => {
    const { trigger } = await triggerOf('slack');
    const forged = [{}, slack('another secret', question), slack(trigger.secret, question, 1)];
    for (const headers of forged) {
      const { body } = await send(trigger, headers, question).expect(401);
      expect(body.code).toBe('invalid_signature');
    }
    const { trigger: other } = await triggerOf('bearer');
    const bearer = { Authorization: `Bearer ${other.secret}` };
    await send(other, bearer, question).expect(202);
  });

  const github = (secret: string, body: string, event: string, id: string = randomUUID()) => ({
    'X-Hub-Signature-256': `sha256=${hmac(secret, body)}`,
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': id,
  });

  it('returns pong for GitHub’s ping without firing a run', async () => {
    const { routine, trigger } = await triggerOf('github');
    const ping = '{"zen":"Design for failure.","hook_id":1}';
    for (let count = 0; count < 2; count++) {
      const headers = github(trigger.secret, ping, 'ping');
      expect((await send(trigger, headers, ping).expect(200)).body).toEqual({ message: 'pong' });
    }
    await send(trigger, github('another secret', ping, 'ping'), ping).expect(401);
    expect(await runsOf(routine.id)).toEqual([]);
  });

  it('stores the event and the delivery id with the payload, and sends both to the agent', async () => {
    const { trigger } = await triggerOf('github');
    const push = '{"ref":"refs/heads/main"}';
    const headers = github(trigger.secret, push, 'push', 'd-1');
    const { body: run } = await send(trigger, headers, push).expect(202);
    const delivery = { event: 'push', id: 'd-1', retry: null };
    expect(run).toMatchObject({ payload: { ref: 'refs/heads/main' }, delivery });
    expect((await runsOf(run.routineId))[0]?.delivery).toEqual(delivery);
    const [wake] = await harness.db.agentWakeup.findMany({ where: { routineRunId: run.id } });
    expect(wake?.payload).toEqual({ ref: 'refs/heads/main', _delivery: delivery });

    const odd = { ...github(trigger.secret, '{}', 'push'), 'X-GitHub-Event': 'p'.repeat(201) };
    const { body: refused } = await send(trigger, odd, '{}').expect(400);
    expect(refused.details).toMatchObject([{ path: ['X-GitHub-Event'] }]);
  });

  it.each(['always_enqueue', 'coalesce_if_active'] as const)(
    'accepts a delivery only once with the policy %s, even if each attempt has a new signature',
    async (policy) => {
      const { routine, trigger } = await triggerOf('slack', undefined, policy);
      const event = (id: string) =>
        JSON.stringify({ type: 'event_callback', event_id: id, event: { type: 'app_mention' } });
      await send(trigger, slack(trigger.secret, event('Ev0')), event('Ev0')).expect(202);
      const again = await Promise.all(
        Array.from({ length: 5 }, (_, ago) => {
          const headers = slack(trigger.secret, event('Ev1'), seconds() - ago);
          return send(trigger, { ...headers, 'X-Slack-Retry-Num': String(ago + 1) }, event('Ev1'));
        }),
      );
      expect(again.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
      expect(again.map(({ body }) => body.code).filter(Boolean)).toEqual(Array(4).fill('replayed'));
      const runs = await runsOf(routine.id);
      expect(runs.map(({ delivery }) => delivery?.id).sort()).toEqual(['Ev0', 'Ev1']);
      const retried = runs.find(({ delivery }) => delivery?.id === 'Ev1')?.delivery;
      expect(retried).toEqual({ event: 'app_mention', id: 'Ev1', retry: expect.any(Number) });
    },
  );

  it('rejects a repeated GitHub delivery even after the replay window', async () => {
    const { trigger } = await triggerOf('github');
    const headers = github(trigger.secret, '{}', 'push', 'd-1');
    await send(trigger, headers, '{}').expect(202);
    await harness.asOwner(
      "UPDATE webhook_signature SET expires_at = now() - interval '1 s' WHERE expires_at < now() + interval '1 h'",
    );
    expect((await send(trigger, headers, '{}').expect(409)).body.code).toBe('replayed');
    await send(trigger, github(trigger.secret, '{}', 'push', 'd-2'), '{}').expect(202);
  });

  it('accepts a secret that the sender issued, and then rejects the previous secret', async () => {
    const { routine, trigger } = await triggerOf('stripe');
    const stripe = (secret: string, at = seconds()) => ({
      'Stripe-Signature': `t=${at},v1=${hmac(secret, `${at}.`, '{}')}`,
    });
    const secret = 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH';
    const path = `/api/routine-triggers/${trigger.id}`;
    const { body: changed } = await harness.api.patch(path).send({ secret }).expect(200);
    expect(JSON.stringify(changed)).not.toContain('whsec_');
    await send(trigger, stripe(trigger.secret), '{}').expect(401);
    await send(trigger, stripe(secret), '{}').expect(202);
    const row = await harness.db.routineTrigger.findUniqueOrThrow({ where: { id: trigger.id } });
    expect(row.secretVersion).toBe(2);
    expect(await runsOf(routine.id)).toHaveLength(1);
    const { body: activity } = await harness.api
      .get(`/api/companies/${routine.companyId}/activity?action=routine_trigger.updated`)
      .expect(200);
    expect(activity).toMatchObject([{ details: { changed: ['secret'] } }]);
    expect(JSON.stringify(activity)).not.toContain('whsec_');
  });

  it.each([['short'], ['with a space in the middle'], ['x'.repeat(257)]])(
    'rejects the secret %p',
    async (secret) => {
      const { routine, trigger } = await triggerOf('bearer');
      const body = { kind: 'webhook', secret };
      await harness.api.post(`/api/routines/${routine.id}/triggers`).send(body).expect(400);
      await harness.api.patch(`/api/routine-triggers/${trigger.id}`).send({ secret }).expect(400);
    },
  );

  it('rejects a secret for a trigger of kind api', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, { kind: 'api' });
    const secret = 'a-secret-of-16-characters';
    const { body } = await harness.api
      .patch(`/api/routine-triggers/${trigger.id}`)
      .send({ secret })
      .expect(400);
    expect(body.details).toMatchObject([{ path: ['secret'] }]);
  });
});

describe('the rate limit per address', () => {
  const limits = { perCredential: null, perAddress: 3, perTrigger: null };
  const harness = useHarness({ config: { rateLimits: limits } });

  it('counts only forged calls, and does not limit valid calls from the same address', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const fire = (secret: string, publicId = trigger.publicId) =>
      harness.api
        .post(`/api/routine-triggers/public/${publicId}/fire`)
        .set('Authorization', `Bearer ${secret}`);
    for (let count = 0; count < 6; count++) await fire(trigger.secret).expect(202);
    await fire('forged').expect(401);
    await fire('forged', crypto.randomUUID()).expect(404);
    await fire('forged').expect(401);
    for (let count = 0; count < 3; count++) {
      await fire('forged').expect(429);
      await fire('forged', crypto.randomUUID()).expect(429);
      await fire(trigger.secret).expect(202);
    }
  });
});
