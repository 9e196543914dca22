import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';
import { untilPast } from '../../../test/until-past';
import { openReceiver, WEBHOOK_SECRET } from '../../../test/webhook-receiver';
import { prune } from '../../work/retention';
import { deliverNow } from '../callbacks/start-deliveries';
import { collectEvents } from './collect-events';

describe('webhooks', () => {
  const harness = useHarness();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.calls.length = 0;
    receiver.answer = (_call, response) => void response.writeHead(204).end();
    await sql(`UPDATE endpoint SET status = 'disabled', disabled_reason = 'board'`);
    await sql(`UPDATE delivery SET status = 'given_up', next_attempt_at = NULL`);
  });

  const sql = (text: string) => harness.context.db.pool.query(text);
  const add = async (companyId: string, fields: object = {}) => {
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/endpoints`)
      .send({ url: `${receiver.url}/hook?token=abc`, secret: WEBHOOK_SECRET, ...fields })
      .expect(201);
    return body;
  };
  const collect = async (companyId: string) => {
    await untilPast(harness, companyId);
    await collectEvents(harness.context);
  };
  const deliver = () => deliverNow(harness.context);
  const passPauses = () =>
    sql(
      `UPDATE delivery SET next_attempt_at = now() - interval '1 s' WHERE next_attempt_at IS NOT NULL`,
    );
  const read = async (id: string) =>
    (await harness.api.get(`/api/endpoints/${id}`).expect(200)).body;
  const deliveriesOf = async (id: string, query = {}) =>
    (await harness.api.get(`/api/endpoints/${id}/deliveries`).query(query).expect(200)).body;
  const bodies = () => receiver.calls.map(({ body }) => JSON.parse(body));

  it('send exactly once each event that occurs after their creation, signed and without large texts', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.build.issue({ companyId, title: 'Before' });
    await add(companyId);
    const issue = await harness.build.issue({ companyId, title: 'After', status: 'todo' });
    await harness.api.post(`/api/issues/${issue.id}/comments`).send({ body: 'x'.repeat(50_000) });
    await collect(companyId);
    await collect(companyId);
    expect(await deliver()).toBe(2);
    expect(receiver.calls.map((call) => receiver.verified(call))).toMatchObject([
      {
        type: 'issue.updated',
        data: {
          action: 'issue.created',
          entity: { type: 'issue', id: issue.id, identifier: issue.identifier, name: 'After' },
          actor: { type: 'user' },
          link: expect.stringContaining(`/issues/${issue.identifier}`),
          position: expect.stringMatching(/^\d+-\d+$/),
        },
      },
      { type: 'comment.created', data: { entity: { id: issue.id } } },
    ]);
    for (const { body } of receiver.calls) expect(body.length).toBeLessThan(20_000);
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^evt_/);
  });

  it('send only the event types that the endpoint has selected', async () => {
    const { id: companyId } = await harness.build.company();
    const agent = await harness.build.agent({ companyId });
    await add(companyId, { events: ['run.ended', 'agent.stopped'] });
    await harness.build.queuedRun(agent.id);
    await harness.drain();
    await harness.api.post(`/api/agents/${agent.id}/pause`).send({}).expect(200);
    await harness.build.issue({ companyId });
    await collect(companyId);
    await deliver();
    expect(
      bodies()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['agent.stopped', 'run.ended']);
  });

  it('report the start of a run once, before the run’s end', async () => {
    const { id: companyId } = await harness.build.company();
    const agent = await harness.build.agent({ companyId });
    await add(companyId, { events: ['run.started', 'run.ended'] });
    const issue = await harness.build.issue({ companyId, assigneeAgentId: agent.id });
    const { id: runId } = await harness.build.queuedRun(agent.id, { issueId: issue.id });
    await harness.drain();
    await collect(companyId);
    await deliver();
    const received = bodies().sort((a, b) =>
      a.data.position.localeCompare(b.data.position, 'en', { numeric: true }),
    );
    const entity = { type: 'heartbeat_run', id: runId, identifier: issue.identifier };
    const details = { agentId: agent.id, issueId: issue.id, source: 'manual' };
    expect(received).toMatchObject([
      { type: 'run.started', data: { action: 'heartbeat.started', runId, entity, details } },
      { type: 'run.ended', data: { action: 'heartbeat.succeeded', runId, entity } },
    ]);
    expect(received[0].data.link).toMatch(new RegExp(`/runs/${runId}$`));
  });

  it.each([
    ['slack', (body: { text: string }) => body.text],
    ['telegram', (body: { text: string }) => body.text],
    ['discord', (body: { content: string }) => body.content],
  ])('contain a readable text in the format of %s', async (shape, text) => {
    const { id: companyId } = await harness.build.company();
    await add(companyId, { shape, events: ['issue.updated', 'run.started'] });
    await harness.build.issue({ companyId, title: 'Mend the lock' });
    const agent = await harness.build.agent({ companyId, name: 'Ada' });
    await harness.build.queuedRun(agent.id);
    await harness.drain();
    await collect(companyId);
    await deliver();
    const texts = bodies().map(text).sort();
    expect(texts[0]).toContain('Ada: run started');
    expect(texts[1]).toContain('Mend the lock: issue created');
  });

  it('escape mentions and links in titles for Slack', async () => {
    const { id: companyId } = await harness.build.company();
    await add(companyId, { shape: 'slack' });
    await harness.build.issue({ companyId, title: 'R&D <!channel> <https://evil.example|Login>' });
    await collect(companyId);
    await deliver();
    expect(bodies()[0].text).toContain(
      'R&amp;D &lt;!channel&gt; &lt;https://evil.example|Login&gt;: issue created',
    );
  });

  it('reach other endpoints even if the events of one endpoint cannot be collected', async () => {
    const { id: companyId } = await harness.build.company();
    const faulty = await add(companyId);
    await add(companyId);
    await harness.asOwner(
      `ALTER TABLE delivery ADD CONSTRAINT faulty CHECK (endpoint_id <> '${faulty.id}') NOT VALID`,
    );
    await harness.build.issue({ companyId });
    try {
      await collect(companyId);
    } finally {
      await harness.asOwner('ALTER TABLE delivery DROP CONSTRAINT faulty');
    }
    expect(await deliver()).toBe(1);
    await collect(companyId);
    expect(await deliver()).toBe(1);
  });

  it('reach their endpoint even if another delivery cannot be read', async () => {
    const { id: companyId } = await harness.build.company();
    const faulty = await add(companyId);
    await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    await sql(`UPDATE delivery SET body = NULL WHERE endpoint_id = '${faulty.id}'`);
    expect(await deliver()).toBe(1);
    expect(await deliveriesOf(faulty.id, { status: 'pending' })).toHaveLength(1);
  });

  it('do not change the endpoint’s updatedAt when events are collected', async () => {
    const { id: companyId } = await harness.build.company();
    const { id, updatedAt } = await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    expect(await deliver()).toBe(1);
    expect(await read(id)).toMatchObject({ updatedAt });
  });

  it('retry and resend a delivery under one id, and store the last response', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    receiver.answer = (_call, response) => void response.writeHead(500).end('no\u0000t now');
    expect(await deliver()).toBe(0);
    const [row] = await deliveriesOf(id, { status: 'pending' });
    expect(row).toMatchObject({ attempts: 1, answerStatus: 500, error: 'HTTP 500' });
    expect((await read(id)).failingSince).not.toBeNull();
    const path = `/api/deliveries/${row.id}`;
    const { body: whole } = await harness.api.get(path).expect(200);
    expect(whole).toMatchObject({ answer: 'not now', type: 'issue.updated' });
    expect(whole.body).toBe(receiver.calls[0]?.body);

    receiver.answer = (_call, response) => void response.writeHead(200).end();
    await passPauses();
    expect(await deliver()).toBe(1);
    expect((await read(id)).failingSince).toBeNull();
    await harness.api.post(`${path}/send`).send({}).expect(202);
    expect(await deliver()).toBe(1);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('disable an endpoint after a 410, and after three days of failures', async () => {
    const { id: companyId } = await harness.build.company();
    const gone = await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    receiver.answer = (_call, response) => void response.writeHead(410).end();
    await deliver();
    expect(await read(gone.id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });

    const failing = await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    receiver.answer = (_call, response) => void response.writeHead(503).end();
    await deliver();
    await sql(`UPDATE endpoint SET failing_since = failing_since - interval '73 hours'`);
    await passPauses();
    await deliver();
    expect(await read(failing.id)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(await deliveriesOf(failing.id, { status: 'pending' })).toEqual([]);
    const { body: activity } = await harness.api
      .get(`/api/companies/${companyId}/activity`)
      .query({ action: 'endpoint.disabled' });
    expect(activity).toHaveLength(2);
    const { body: inbox } = await harness.api.get(`/api/companies/${companyId}/inbox`).expect(200);
    const items = inbox.filter(({ kind }: { kind: string }) => kind === 'endpoint_disabled');
    expect(items).toHaveLength(2);

    const { body: enabled } = await harness.api
      .patch(`/api/endpoints/${failing.id}`)
      .send({ status: 'enabled' })
      .expect(200);
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null, failingSince: null });
  });

  it('stop when the company is archived, but can still be deleted', async () => {
    const { id: companyId } = await harness.build.company();
    const [{ id }, gone] = [await add(companyId), await add(companyId)];
    await sql(
      `UPDATE endpoint SET status = 'disabled', disabled_reason = 'gone' WHERE id = '${gone.id}'`,
    );
    await harness.build.issue({ companyId });
    await collect(companyId);
    await harness.api.post(`/api/companies/${companyId}/archive`).expect(200);
    await collect(companyId);
    await deliver();
    expect(receiver.calls).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'disabled', disabledReason: 'board' });
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'given_up' }]);
    const { body: inbox } = await harness.api.get(`/api/companies/${companyId}/inbox`).expect(200);
    expect(inbox).toEqual([]);
    await harness.api.patch(`/api/endpoints/${id}`).send({ description: 'x' }).expect(409);
    await harness.api.delete(`/api/endpoints/${id}`).expect(204);
  });

  it('can replay events that a disabled endpoint has missed', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    const change = (status: string) =>
      harness.api.patch(`/api/endpoints/${id}`).send({ status }).expect(200);
    await harness.build.issue({ companyId, title: 'Seen' });
    await collect(companyId);
    await deliver();
    await change('disabled');
    await harness.build.issue({ companyId, title: 'Missed' });
    await collect(companyId);
    await change('enabled');
    await collect(companyId);
    await deliver();
    expect(receiver.calls).toHaveLength(1);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const path = `/api/endpoints/${id}/replay`;
    await harness.api.post(path).send({ since }).expect(202);
    await collect(companyId);
    await deliver();
    const names = bodies().map(({ data }) => data.entity.name);
    expect(names.filter((name) => name === 'Missed')).toHaveLength(1);
    const seen = receiver.calls.filter(({ body }) => body.includes('Seen'));
    expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('replay every event after the requested time, even if a later transaction wrote an earlier event', async () => {
    const { id: companyId } = await harness.build.company();
    const [older, younger] = [
      await harness.build.issue({ companyId, title: 'Older' }),
      await harness.build.issue({ companyId, title: 'Younger' }),
    ];
    const since = Date.parse(younger.createdAt) + 1;
    for (const [{ id: entityId }, afterMs] of [
      [older, 2],
      [younger, 1],
    ] as const) {
      await sql(`
        INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id, created_at)
        VALUES (gen_random_uuid(), '${companyId}', 'system', 'issue.created', 'issue', '${entityId}',
          '${new Date(since + afterMs).toISOString()}')`);
    }
    const { id } = await add(companyId);
    const body = { since: new Date(since).toISOString() };
    await harness.api.post(`/api/endpoints/${id}/replay`).send(body).expect(202);
    await collect(companyId);
    await deliver();
    const names = bodies().map(({ data }) => data.entity.name);
    expect(names.filter((name) => name !== undefined).sort()).toEqual(['Older', 'Younger']);
  });

  it('send events that were not yet collected in addition to the replayed events', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    await harness.build.issue({ companyId, title: 'Unread' });
    const clock = Date.now();
    await until('a later time', async () => Date.now() > clock);
    const since = new Date().toISOString();
    await harness.build.issue({ companyId, title: 'Later' });
    await harness.api.post(`/api/endpoints/${id}/replay`).send({ since }).expect(202);
    await collect(companyId);
    await deliver();
    const names = bodies().map(({ data }) => data.entity.name);
    expect(names).toEqual(expect.arrayContaining(['Unread', 'Later']));
  });

  it.each([
    [204, 'delivered', 0],
    [500, 'given_up', 0],
  ])(
    'record a response that arrives after the endpoint is disabled: %i as %s',
    async (status, shown, attempts) => {
      const { id: companyId } = await harness.build.company();
      const { id } = await add(companyId);
      await harness.build.issue({ companyId });
      await collect(companyId);
      const arrived = new Promise<() => void>((resolve) => {
        receiver.answer = (_call, response) =>
          void resolve(() => void response.writeHead(status).end());
      });
      const delivering = deliver();
      const answer = await arrived;
      await harness.api.patch(`/api/endpoints/${id}`).send({ status: 'disabled' }).expect(200);
      answer();
      await delivering;
      expect(await deliveriesOf(id)).toMatchObject([
        { status: shown, attempts, nextAttemptAt: null },
      ]);
    },
  );

  it('send a test event, but return 409 if the endpoint is disabled', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    await harness.api.post(`/api/endpoints/${id}/test`).send({}).expect(202);
    expect(await deliver()).toBe(1);
    expect(receiver.verified(receiver.calls[0])).toMatchObject({ data: { test: true } });
    await harness.api.patch(`/api/endpoints/${id}`).send({ status: 'disabled' }).expect(200);
    await harness.api.post(`/api/endpoints/${id}/test`).send({}).expect(409);
  });

  it('send signatures by both secrets after a rotation', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    const { body } = await harness.api
      .post(`/api/endpoints/${id}/rotate-secret`)
      .send({})
      .expect(200);
    await harness.api.post(`/api/endpoints/${id}/test`).send({}).expect(202);
    await deliver();
    const [call] = receiver.calls;
    for (const secret of [WEBHOOK_SECRET, body.secret]) receiver.verified(call, secret);
  });

  it('return the address and secret only once, and store both encrypted', async () => {
    const { id: companyId } = await harness.build.company();
    const { id, secret } = await add(companyId);
    expect(secret).toBe(WEBHOOK_SECRET);
    const text = JSON.stringify(await read(id));
    expect(text).not.toContain('token=abc');
    expect(text).not.toContain('whsec_');
    const row = await harness.db.endpoint.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.target).toString('latin1')).not.toContain('token=abc');
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, 'url'],
    [{ url: 'https://example.com/', secret: 'short' }, 'secret'],
    [{ url: 'https://example.com/', events: ['all'] }, 'events'],
    [{ url: 'https://example.com/', shape: 'teams' }, 'shape'],
  ])('reject %j', async (body, field) => {
    const { id: companyId } = await harness.build.company();
    const path = `/api/companies/${companyId}/endpoints`;
    const answer = await harness.api.post(path).send(body).expect(400);
    expect(answer.body.error).toContain(field);
  });

  it('can be deleted; their deliveries are deleted 30 days after they end', async () => {
    const { id: companyId } = await harness.build.company();
    const { id } = await add(companyId);
    await harness.build.issue({ companyId });
    await collect(companyId);
    await deliver();
    await sql(`UPDATE delivery SET created_at = created_at - interval '31 days'`);
    await prune(harness.context);
    expect(await harness.db.delivery.count({ where: { endpointId: id } })).toBe(1);
    await sql(`UPDATE delivery SET attempted_at = attempted_at - interval '31 days'`);
    await prune(harness.context);
    expect(await harness.db.delivery.count({ where: { endpointId: id } })).toBe(0);
    await harness.api.delete(`/api/endpoints/${id}`).expect(204);
    await harness.api.get(`/api/endpoints/${id}`).expect(404);
  });
});
