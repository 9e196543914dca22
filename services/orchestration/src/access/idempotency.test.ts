import { newId } from '@switchyard/db';
import { everything } from '../../test/everything';
import { useHarness } from '../../test/harness';

describe('POST with Idempotency-Key', () => {
  const harness = useHarness();

  const post = (path: string, key: string, body: object, authorization?: string) => {
    const request = harness.api.post(path).set('Idempotency-Key', key);
    if (authorization) request.set('Authorization', authorization);
    return request.send(body);
  };

  it('creates one row for twenty concurrent identical requests, and returns the same response to all of them', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}/issues`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(path, 'twenty', { title: 'once' })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    const replayed = answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true');
    expect(replayed).toHaveLength(19);
    expect(await harness.db.issue.count({ where: { companyId: id } })).toBe(1);
    expect(
      await harness.db.activity.count({ where: { companyId: id, action: 'issue.created' } }),
    ).toBe(1);
  });

  it('returns 409 for a different body under the same key, and changes nothing', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}/issues`;
    await post(path, 'k', { title: 'one' }).expect(201);
    const before = await everything(harness);
    const { body } = await post(path, 'k', { title: 'two' }).expect(409);
    expect(body).toMatchObject({ code: 'idempotency_conflict', details: { retry: false } });
    expect(await everything(harness)).toEqual(before);
  });

  it('does not store an error response, so a corrected request may use the same key', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}/issues`;
    await post(path, 'k', { title: '' }).expect(400);
    await post(path, 'k', { title: 'x', parentId: newId() }).expect(422);
    const { body, headers } = await post(path, 'k', { title: 'x' }).expect(201);
    expect(headers['idempotency-replayed']).toBeUndefined();
    expect(body.title).toBe('x');
  });

  it('does not replay a response to another caller, or for another path or company', async () => {
    const { build } = harness;
    const one = await build.liveRun();
    const two = await build.liveRun({ companyId: one.agent.companyId });
    const { companyId } = one.agent;
    const path = `/api/companies/${companyId}/issues`;
    const other = `/api/companies/${(await build.company()).id}/issues`;
    const answers = [
      await post(path, 'same', { title: 'x' }),
      await post(path, 'same', { title: 'x' }, one.authorization),
      await post(path, 'same', { title: 'x' }, two.authorization),
      await post(other, 'same', { title: 'x' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(4);
  });

  it('replays the response of the same key and path, not that of a neighbour', async () => {
    const { id } = await harness.build.company();
    const requests = [
      [`/api/companies/${id}/issues`, 'a'],
      [`/api/companies/${id}/issues`, 'b'],
      [`/api/companies/${(await harness.build.company()).id}/issues`, 'a'],
    ] as const;
    const first: string[] = [];
    for (const [path, key] of requests) first.push((await post(path, key, { title: 'x' })).text);
    const second: string[] = [];
    for (const [path, key] of requests) second.push((await post(path, key, { title: 'x' })).text);
    expect(new Set(first).size).toBe(3);
    expect(second).toEqual(first);
  });

  it('replays a created API key, and stores it only encrypted', async () => {
    const agent = await harness.build.agent();
    const path = `/api/agents/${agent.id}/keys`;
    const first = await post(path, 'key', { name: 'ci' }).expect(201);
    const second = await post(path, 'key', { name: 'ci' }).expect(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await harness.db.agentKey.count({ where: { agentId: agent.id } })).toBe(1);
    const records = await harness.db.idempotencyRecord.findMany();
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      const plain = Buffer.from(record.body ?? '', 'base64').toString('latin1');
      expect(`${JSON.stringify(record)} ${plain}`).not.toContain(first.body.key);
    }
  });

  it('repeats the first response even if the row has changed in the meantime', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const { id } = await build.issue({ companyId: agent.companyId, status: 'todo' });
    const body = { agentId: agent.id, expectedStatuses: ['todo'] };
    const first = await post(`/api/issues/${id}/checkout`, 'c', body).expect(200);
    await api.post(`/api/issues/${id}/release`).expect(200);
    const second = await post(`/api/issues/${id}/checkout`, 'c', body).expect(200);
    expect(second.body).toEqual(first.body);
    expect((await api.get(`/api/issues/${id}`)).body.status).toBe('todo');
  });

  it('repeats the 202 response to a wake request, and wakes the agent only once', async () => {
    const agent = await harness.build.agent();
    const path = `/api/agents/${agent.id}/heartbeat/invoke`;
    const [first, second] = [await post(path, 'w', {}), await post(path, 'w', {})];
    expect([first?.status, second?.status]).toEqual([202, 202]);
    expect(second?.body).toEqual(first?.body);
    expect(second?.body.wakeReasons).toHaveLength(1);
  });

  it('creates a second row if the key was first used more than 24 hours ago', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}/issues`;
    const first = await post(path, 'old', { title: 'x' }).expect(201);
    await harness.context.db.pool.query(
      `UPDATE idempotency_record SET created_at = now() - interval '24 hours 1 second' WHERE key = 'old'`,
    );
    const second = await post(path, 'old', { title: 'other' }).expect(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each(['', 'a b', 'x'.repeat(201), 'ä'])('returns 400 for the key "%s"', async (key) => {
    const { id } = await harness.build.company();
    const { body } = await post(`/api/companies/${id}/issues`, key, { title: 'x' }).expect(400);
    expect(body.details[0].path).toEqual(['Idempotency-Key']);
  });

  it('takes effect only once, unlike a PATCH with the same key', async () => {
    const issue = await harness.build.issue();
    const patch = (title: string) =>
      harness.api.patch(`/api/issues/${issue.id}`).set('Idempotency-Key', 'p').send({ title });
    await patch('one').expect(200);
    expect((await patch('two').expect(200)).body.title).toBe('two');
  });

  it('does not store the key if the database rejects the write', async () => {
    const { id } = await harness.build.company();
    const agent = await harness.build.agent();
    const path = `/api/companies/${id}/issues`;
    const before = await everything(harness);
    const { body } = await post(path, 'fk', { title: 'x', assigneeAgentId: agent.id }).expect(403);
    expect(body).toMatchObject({ code: 'cross_company', details: { field: 'assigneeAgentId' } });
    expect(await everything(harness)).toEqual(before);
  });
});
