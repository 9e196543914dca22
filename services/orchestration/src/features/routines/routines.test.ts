import { newId } from '@switchyard/db';
import type { AgentDetailView, RoutineView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

const DAILY = { kind: 'schedule', cronExpression: '0 9 * * *', timezone: 'Europe/Berlin' } as const;

describe('routines', () => {
  const harness = useHarness();
  let assignee: AgentDetailView;
  let colleague: AgentDetailView;
  let own: string;
  let other: string;
  let projectId: string;

  beforeAll(async () => {
    assignee = await harness.build.agent();
    const { companyId } = assignee;
    colleague = await harness.build.agent({ companyId });
    own = await harness.build.apiKey(assignee.id);
    other = await harness.build.apiKey(colleague.id);
    projectId = (await harness.build.project({ companyId })).id;
  });

  const routineOf = (body: object = {}) =>
    harness.build.routine({
      companyId: assignee.companyId,
      assigneeAgentId: assignee.id,
      projectId,
      ...body,
    });
  const get = async (id: string) =>
    (await harness.api.get(`/api/routines/${id}`).expect(200)).body as RoutineView;
  const patch = (id: string, body: object, key?: string) => {
    const request = harness.api.patch(`/api/routines/${id}`);
    return (key ? request.set('Authorization', key) : request).send(body);
  };
  const as = (key: string) => ({
    post: (path: string, body: object = {}) =>
      harness.api.post(path).set('Authorization', key).send(body),
    patch: (path: string, body: object) =>
      harness.api.patch(path).set('Authorization', key).send(body),
    delete: (path: string) => harness.api.delete(path).set('Authorization', key),
  });

  it('store every field, with the documented defaults', async () => {
    const { companyId } = assignee;
    const goal = await harness.build.goal({ companyId });
    const parent = await harness.build.issue({ companyId });
    const fields = {
      title: 'Weekly report',
      description: 'Write it.',
      assigneeAgentId: assignee.id,
      projectId,
      goalId: goal.id,
      parentIssueId: parent.id,
      priority: 'high',
      status: 'paused',
      concurrencyPolicy: 'skip_if_active',
      catchUpPolicy: 'enqueue_missed_with_cap',
    };
    const path = `/api/companies/${companyId}/routines`;
    const full = await harness.api.post(path).send(fields).expect(201);
    expect(full.body).toMatchObject({ ...fields, companyId, triggers: [], createdByAgentId: null });

    const plain = await routineOf({ title: 'Plain' });
    expect(plain).toMatchObject({
      description: null,
      goalId: null,
      parentIssueId: null,
      priority: 'medium',
      status: 'active',
      concurrencyPolicy: 'coalesce_if_active',
      catchUpPolicy: 'skip_missed',
    });
    const list = await harness.api.get(`${path}?limit=1`).expect(200);
    expect(list.body).toHaveLength(1);
    expect(list.body[0]).not.toHaveProperty('description');
    expect(list.headers['x-next-cursor']).toBeDefined();
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ priority: 'urgent' }, 'priority'],
    [{ status: 'off' }, 'status'],
    [{ concurrencyPolicy: 'both' }, 'concurrencyPolicy'],
    [{ catchUpPolicy: 'all' }, 'catchUpPolicy'],
    [{ assigneeAgentId: null }, 'assigneeAgentId'],
    [{ projectId: 'x' }, 'projectId'],
    [{ cron: '* * * * *' }, 'cron'],
  ])('PATCH rejects %j with an error that names %s', async (body, field) => {
    const { id } = await routineOf();
    const { body: answer } = await patch(id, body).expect(400);
    expect(answer.details[0].path).toEqual([field]);
  });

  it.each(['title', 'assigneeAgentId', 'projectId'])('POST requires %s', async (field) => {
    const fields = { title: 'X', assigneeAgentId: assignee.id, projectId, [field]: undefined };
    const path = `/api/companies/${assignee.companyId}/routines`;
    const { body } = await harness.api.post(path).send(fields).expect(400);
    expect(body.details[0].path).toEqual([field]);
  });

  it('PATCH rejects ids of another company and unknown ids', async () => {
    const foreign = await harness.build.routine();
    const parent = await harness.build.issue();
    const goal = await harness.build.goal();
    const { id } = await routineOf();
    const before = await get(id);
    const named = {
      assigneeAgentId: foreign.assigneeAgentId,
      projectId: foreign.projectId,
      goalId: goal.id,
      parentIssueId: parent.id,
    };
    for (const [field, value] of Object.entries(named)) {
      const elsewhere = await patch(id, { [field]: value }).expect(403);
      expect(elsewhere.body).toMatchObject({ code: 'cross_company', details: { field } });
      const nowhere = await patch(id, { [field]: newId() }).expect(422);
      expect(nowhere.body).toMatchObject({ code: 'unknown_reference', details: { field } });
    }
    expect(await get(id)).toEqual(before);
  });

  it('PATCH ignores absent fields, clears null fields, and records only changes', async () => {
    const { id } = await routineOf({ description: 'Text' });
    const changed = await patch(id, { description: null, priority: 'low' }).expect(200);
    expect(changed.body).toMatchObject({ description: null, priority: 'low' });
    await patch(id, { priority: 'low' }).expect(200);
    const { body } = await harness.api
      .get(`/api/companies/${assignee.companyId}/activity?entityId=${id}&action=routine.updated`)
      .expect(200);
    expect(body).toHaveLength(1);
    expect(body[0].details).toEqual({ changed: ['description', 'priority'] });
  });

  it('PATCH rejects a terminated agent as the assignee', async () => {
    const gone = await harness.build.agent({ companyId: assignee.companyId });
    await harness.api.post(`/api/agents/${gone.id}/terminate`).expect(200);
    const { id } = await routineOf();
    await patch(id, { assigneeAgentId: gone.id }).expect(422);
  });

  it('cannot be changed or run after they are archived', async () => {
    const { id, companyId } = await routineOf();
    const trigger = await harness.build.trigger(id, { kind: 'webhook' });
    await patch(id, { status: 'archived' }).expect(200);
    const refused = [
      patch(id, { status: 'active' }),
      patch(id, {}),
      harness.api.post(`/api/routines/${id}/triggers`).send({ kind: 'api' }),
      harness.api.patch(`/api/routine-triggers/${trigger.id}`).send({ enabled: false }),
      harness.api.delete(`/api/routine-triggers/${trigger.id}`),
      harness.api.post(`/api/routine-triggers/${trigger.id}/rotate-secret`),
      harness.api.post(`/api/routines/${id}/run`),
    ];
    for (const { status, body } of await Promise.all(refused)) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'routine_archived' });
    }
    const { body } = await harness.api.get(`/api/companies/${companyId}/routines`).expect(200);
    expect(body.map((one: RoutineView) => one.id)).toContain(id);
  });

  describe('routines and agents', () => {
    it('can be read by any agent of the company', async () => {
      const { id, companyId } = await routineOf();
      for (const path of [
        `/api/companies/${companyId}/routines`,
        `/api/routines/${id}`,
        `/api/routines/${id}/runs`,
      ]) {
        await harness.api.get(path).set('Authorization', other).expect(200);
      }
    });

    it('can be created by an agent only for itself', async () => {
      const path = `/api/companies/${assignee.companyId}/routines`;
      const fields = { title: 'Mine', assigneeAgentId: assignee.id, projectId };
      const made = await as(own).post(path, fields).expect(201);
      expect(made.body.createdByAgentId).toBe(assignee.id);
      const refused = await as(other).post(path, fields).expect(403);
      expect(refused.body.code).toBe('not_own');
    });

    it('can be changed, triggered and run only by the assigned agent', async () => {
      const { id } = await routineOf();
      const webhook = await harness.build.trigger(id, { kind: 'webhook' });
      const calls = (key: string) => [
        as(key).patch(`/api/routines/${id}`, { title: 'Changed' }),
        as(key).post(`/api/routines/${id}/triggers`, { kind: 'api' }),
        as(key).patch(`/api/routine-triggers/${webhook.id}`, { label: 'Changed' }),
        as(key).post(`/api/routine-triggers/${webhook.id}/rotate-secret`),
        as(key).post(`/api/routines/${id}/run`),
        as(key).delete(`/api/routine-triggers/${webhook.id}`),
      ];
      const before = await get(id);
      for (const { status, body } of await Promise.all(calls(other))) {
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_own' });
      }
      expect(await get(id)).toEqual(before);
      const statuses: number[] = [];
      for (const call of calls(own)) statuses.push((await call).status);
      expect(statuses).toEqual([200, 201, 200, 200, 202, 204]);
    });

    it('can be reassigned only by the board', async () => {
      const { id } = await routineOf();
      const refused = await patch(id, { assigneeAgentId: colleague.id }, own).expect(403);
      expect(refused.body.code).toBe('board_only');
      await patch(id, { assigneeAgentId: assignee.id }, own).expect(200);
      const given = await patch(id, { assigneeAgentId: colleague.id }).expect(200);
      expect(given.body.assigneeAgentId).toBe(colleague.id);
      await patch(id, { title: 'Mine?' }, own).expect(403);
      await patch(id, { title: 'Mine!' }, other).expect(200);
    });
  });

  describe('triggers', () => {
    it('have only the fields of their kind', async () => {
      const { id, companyId } = await routineOf();
      const schedule = await harness.build.trigger(id, { ...DAILY, label: 'Mornings' });
      expect(schedule).toMatchObject({
        ...DAILY,
        companyId,
        routineId: id,
        label: 'Mornings',
        enabled: true,
        failureReason: null,
      });
      expect(Date.parse(schedule.nextRunAt as string)).toBeGreaterThan(Date.now());
      const plain = await harness.build.trigger(id, {
        kind: 'schedule',
        cronExpression: '* * * * *',
      });
      expect(plain.timezone).toBe('UTC');
      const webhook = await harness.build.trigger(id, { kind: 'webhook' });
      expect(webhook).toMatchObject({
        signingMode: 'bearer',
        replayWindowSec: 300,
        nextRunAt: null,
      });
      expect(webhook.fireUrl).toBe(
        `${harness.url}/api/routine-triggers/public/${webhook.publicId}/fire`,
      );
      expect(webhook.secret).toHaveLength(43);
      const api = await harness.build.trigger(id, { kind: 'api' });
      expect(api).not.toHaveProperty('cronExpression');
      const { triggers } = await get(id);
      expect(triggers.map((one) => one.id)).toEqual([schedule.id, plain.id, webhook.id, api.id]);
      expect(JSON.stringify(triggers)).not.toContain(webhook.secret);
    });

    it.each([
      [{}, 'kind'],
      [{ kind: 'timer' }, 'kind'],
      [{ kind: 'schedule' }, 'cronExpression'],
      [{ kind: 'schedule', cronExpression: 'often' }, 'cronExpression'],
      [{ kind: 'schedule', cronExpression: '0 0 30 2 *' }, 'cronExpression'],
      [{ kind: 'schedule', cronExpression: '0 0 31 2,4 *' }, 'cronExpression'],
      [{ kind: 'schedule', cronExpression: '* * * * *', timezone: 'Mars/Base' }, 'timezone'],
      [{ kind: 'webhook', signingMode: 'md5' }, 'signingMode'],
      [{ kind: 'webhook', replayWindowSec: 29 }, 'replayWindowSec'],
      [{ kind: 'webhook', replayWindowSec: 86_401 }, 'replayWindowSec'],
      [{ kind: 'webhook', cronExpression: '* * * * *' }, 'cronExpression'],
      [{ kind: 'api', secret: 'mine' }, 'secret'],
    ])('POST rejects %j with an error that names %s', async (body, field) => {
      const { id } = await routineOf();
      const { body: answer } = await harness.api
        .post(`/api/routines/${id}/triggers`)
        .send(body)
        .expect(400);
      expect(answer.details[0].path).toEqual([field]);
      expect((await get(id)).triggers).toEqual([]);
    });

    it('PATCH rejects fields that belong to another trigger kind', async () => {
      const { id } = await routineOf();
      const schedule = await harness.build.trigger(id, DAILY);
      const webhook = await harness.build.trigger(id, { kind: 'webhook' });
      const change = (triggerId: string, body: object) =>
        harness.api.patch(`/api/routine-triggers/${triggerId}`).send(body);
      const paths = async (call: ReturnType<typeof change>) =>
        (await call.expect(400)).body.details[0].path;
      expect(await paths(change(schedule.id, { signingMode: 'bearer' }))).toEqual(['signingMode']);
      expect(await paths(change(webhook.id, { timezone: 'UTC' }))).toEqual(['timezone']);
      expect(await paths(change(schedule.id, { kind: 'api' }))).toEqual(['kind']);
      expect(await paths(change(schedule.id, { cronExpression: '61 * * * *' }))).toEqual([
        'cronExpression',
      ]);
      await harness.api.post(`/api/routine-triggers/${schedule.id}/rotate-secret`).expect(422);
    });

    it('have a next firing time only while they are enabled and the routine is active', async () => {
      const { id } = await routineOf();
      const { id: triggerId } = await harness.build.trigger(id, DAILY);
      const change = (body: object) =>
        harness.api.patch(`/api/routine-triggers/${triggerId}`).send(body).expect(200);
      const nextRunAt = async () => (await get(id)).triggers[0]?.nextRunAt ?? null;
      const makeOverdue = () =>
        harness.db.$executeRaw`UPDATE routine_trigger SET next_run_at = now() - interval '3 days'
          WHERE id = ${triggerId}::uuid`;
      const isInFuture = async () => Date.parse((await nextRunAt()) ?? '') > Date.now();

      await change({ enabled: false });
      expect(await nextRunAt()).toBeNull();
      await change({ enabled: true });
      expect(await isInFuture()).toBe(true);
      await makeOverdue();
      await change({ timezone: 'America/New_York' });
      expect(await isInFuture()).toBe(true);
      await makeOverdue();
      await patch(id, { status: 'paused' }).expect(200);
      expect(await nextRunAt()).toBeNull();
      await patch(id, { status: 'active' }).expect(200);
      expect(await isInFuture()).toBe(true);
      await patch(id, { status: 'archived' }).expect(200);
      expect(await nextRunAt()).toBeNull();
    });

    it('preview their next firing times in UTC and in their time zone', async () => {
      const { id } = await routineOf();
      const other = await routineOf();
      const trigger = await harness.build.trigger(id, DAILY);
      const api = await harness.build.trigger(id, { kind: 'api' });
      const at = (routineId: string, triggerId: string, search = '') =>
        harness.api.get(`/api/routines/${routineId}/triggers/${triggerId}/preview${search}`);
      const { body } = await at(id, trigger.id, '?count=3').expect(200);
      expect(body.timezone).toBe('Europe/Berlin');
      expect(body.times).toHaveLength(3);
      for (const time of body.times) {
        expect(time.local).toMatch(/T09:00:00\.000\+0[12]:00$/);
        expect(Date.parse(time.local)).toBe(Date.parse(time.at));
      }
      expect((await at(id, trigger.id).expect(200)).body.times).toHaveLength(10);
      await at(id, trigger.id, '?count=0').expect(400);
      await at(id, trigger.id, '?count=101').expect(400);
      await at(id, api.id).expect(422);
      await at(other.id, trigger.id).expect(404);
    });

    it('can be deleted without deleting the runs that they fired', async () => {
      const { id } = await routineOf();
      const trigger = await harness.build.trigger(id, { kind: 'api' });
      const body = { triggerId: trigger.id };
      await harness.api.post(`/api/routines/${id}/run`).send(body).expect(202);
      await harness.api.delete(`/api/routine-triggers/${trigger.id}`).expect(204);
      await harness.api.delete(`/api/routine-triggers/${trigger.id}`).expect(404);
      const runs = await harness.api.get(`/api/routines/${id}/runs`).expect(200);
      expect(runs.body).toMatchObject([{ triggerId: trigger.id, source: 'api' }]);
    });
  });
});
