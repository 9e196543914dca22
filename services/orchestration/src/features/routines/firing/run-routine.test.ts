import { newId } from '@switchyard/db';
import type { IssueView, RoutineRunView, RoutineView, RunRoutineBody } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

describe('POST /api/routines/{routineId}/run', () => {
  const harness = useHarness();

  const request = (routineId: string, body: RunRoutineBody | object = {}) =>
    harness.api.post(`/api/routines/${routineId}/run`).send(body);
  const run = async (routineId: string, body: RunRoutineBody = {}) =>
    (await request(routineId, body).expect(202)).body as RoutineRunView;
  const runsOf = async (routineId: string) =>
    (await harness.api.get(`/api/routines/${routineId}/runs`).expect(200)).body as RoutineRunView[];
  const issueOf = async (one: RoutineRunView) =>
    (await harness.api.get(`/api/issues/${one.linkedIssueId}`).expect(200)).body as IssueView;
  const update = (issueId: string | null, body: object) =>
    harness.api.patch(`/api/issues/${issueId}`).send(body).expect(200);
  const review = (issueId: string | null) =>
    harness.db.issue.update({ where: { id: issueId as string }, data: { status: 'in_review' } });
  const issuesOf = (routine: RoutineView) =>
    harness.db.issue.count({
      where: { companyId: routine.companyId, NOT: { originRoutineRunId: null } },
    });
  const wakesOf = (routine: RoutineView) =>
    harness.db.agentWakeup.count({ where: { agentId: routine.assigneeAgentId } });

  it('creates the issue of the routine and wakes the assignee with the payload', async () => {
    const company = (await harness.build.company()).id;
    const goal = await harness.build.goal({ companyId: company });
    const parent = await harness.build.issue({ companyId: company });
    const routine = await harness.build.routine({
      companyId: company,
      title: 'Weekly report',
      description: 'Write it.',
      goalId: goal.id,
      parentIssueId: parent.id,
      priority: 'critical',
    });
    const fired = await run(routine.id, { payload: { week: 47 } });
    expect(fired).toMatchObject({
      routineId: routine.id,
      source: 'manual',
      status: 'issue_created',
      triggerId: null,
      scheduledFor: null,
      payload: { week: 47 },
      activeRoutineRunId: null,
      failureReason: null,
      completedAt: null,
    });
    expect(await issueOf(fired)).toMatchObject({
      title: 'Weekly report',
      description: 'Write it.',
      status: 'todo',
      priority: 'critical',
      assigneeAgentId: routine.assigneeAgentId,
      projectId: routine.projectId,
      goalId: goal.id,
      parentId: parent.id,
      originRoutineRunId: fired.id,
      createdByUserId: 'local-board',
    });
    let payload: string | undefined;
    harness.scripted.on(routine.assigneeAgentId, (work) => {
      payload = work.environment.SERVICE_WAKE_PAYLOAD;
      return { status: 'succeeded', exitCode: 0 };
    });
    await harness.drain();
    expect(JSON.parse(payload as string)).toEqual({ week: 47 });
    const [stored] = await runsOf(routine.id);
    const { body } = await harness.api
      .get(`/api/heartbeat-runs/${stored?.heartbeatRunId}`)
      .expect(200);
    expect(body).toMatchObject({
      source: 'routine',
      issueId: fired.linkedIssueId,
      routineRunId: fired.id,
    });
  });

  it('creates a routine run that completes or is cancelled together with its issue', async () => {
    const routine = await harness.build.routine({ concurrencyPolicy: 'always_enqueue' });
    const [done, cancelled, open] = [
      await run(routine.id),
      await run(routine.id),
      await run(routine.id),
    ];
    await review(done.linkedIssueId);
    await update(done.linkedIssueId, { status: 'done' });
    await update(cancelled.linkedIssueId, { status: 'cancelled' });
    await update(open.linkedIssueId, { status: 'backlog' });
    const runs = new Map((await runsOf(routine.id)).map((one) => [one.id, one]));
    expect(runs.get(done.id)).toMatchObject({ status: 'completed' });
    expect(runs.get(done.id)?.completedAt).not.toBeNull();
    expect(runs.get(cancelled.id)).toMatchObject({ status: 'cancelled' });
    expect(runs.get(open.id)).toMatchObject({ status: 'issue_created', completedAt: null });
  });

  it('records the trigger that the body names', async () => {
    const routine = await harness.build.routine({ concurrencyPolicy: 'always_enqueue' });
    const api = await harness.build.trigger(routine.id, { kind: 'api' });
    const schedule = await harness.build.trigger(routine.id, {
      kind: 'schedule',
      cronExpression: '0 9 * * *',
    });
    expect(await run(routine.id, { triggerId: api.id })).toMatchObject({
      triggerId: api.id,
      source: 'api',
    });
    const named = { triggerId: schedule.id, source: 'api' } as const;
    expect(await run(routine.id, named)).toMatchObject(named);
    const { body } = await harness.api.get(`/api/routines/${routine.id}`).expect(200);
    for (const trigger of body.triggers) expect(trigger.lastFiredAt).not.toBeNull();
    expect(body.triggers[1].nextRunAt).toBe(schedule.nextRunAt);
  });

  it('rejects a trigger that is disabled or belongs to another routine, and changes nothing', async () => {
    const routine = await harness.build.routine();
    const sibling = await harness.build.routine({ companyId: routine.companyId });
    const foreign = await harness.build.routine();
    const kind = { kind: 'api' } as const;
    const ids = await Promise.all(
      [sibling, foreign].map(async ({ id }) => (await harness.build.trigger(id, kind)).id),
    );
    const off = await harness.build.trigger(routine.id, { ...kind, enabled: false });
    const answers = await Promise.all(
      [...ids, newId(), off.id].map((triggerId) => request(routine.id, { triggerId })),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'forbidden'],
      [403, 'cross_company'],
      [422, 'unknown_reference'],
      [409, 'trigger_disabled'],
    ]);
    expect(await runsOf(routine.id)).toEqual([]);
  });

  it.each([
    [{ source: 'schedule' }, 'source'],
    [{ source: 1 }, 'source'],
    [{ payload: [] }, 'payload'],
    [{ payload: 'text' }, 'payload'],
    [{ triggerId: 'x' }, 'triggerId'],
    [{ idempotencyKey: '' }, 'idempotencyKey'],
    [{ key: 'x' }, 'key'],
  ])('rejects %j with an error that names %s', async (body, field) => {
    const { id } = await harness.build.routine();
    const { body: answer } = await request(id, body).expect(400);
    expect(answer.details[0].path).toEqual([field]);
  });

  it('succeeds while the routine is paused, but not while the company is paused', async () => {
    const routine = await harness.build.routine({ status: 'paused' });
    await run(routine.id);
    const path = `/api/companies/${routine.companyId}`;
    await harness.api.patch(path).send({ status: 'paused' }).expect(200);
    expect((await request(routine.id).expect(409)).body.code).toBe('company_paused');
    await harness.api.post(`${path}/archive`).expect(200);
    expect((await request(routine.id).expect(409)).body.code).toBe('company_archived');
  });

  it('fails with a reason if the issue cannot be created, and records the fifth failure on the trigger', async () => {
    const routine = await harness.build.routine();
    const { id: triggerId } = await harness.build.trigger(routine.id, { kind: 'api' });
    await harness.api.post(`/api/agents/${routine.assigneeAgentId}/terminate`).expect(200);
    for (let count = 1; count <= 5; count++) {
      const fired = await run(routine.id, { triggerId });
      expect(fired).toMatchObject({
        status: 'failed',
        linkedIssueId: null,
        failureReason: 'work cannot be assigned to a terminated agent',
      });
      const { body } = await harness.api.get(`/api/routines/${routine.id}`).expect(200);
      const failureReason = count < 5 ? null : fired.failureReason;
      expect(body.triggers).toMatchObject([{ failureCount: count, failureReason }]);
    }
    expect(await issuesOf(routine)).toBe(0);
  });

  it('creates only one run per idempotencyKey', async () => {
    const routine = await harness.build.routine({ concurrencyPolicy: 'always_enqueue' });
    const body = { idempotencyKey: 'one', payload: { zero: -0, big: 1e300, text: 'ü' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(routine.id, body)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const others: object[] = [
      { idempotencyKey: 'one' },
      { ...body, payload: { ...body.payload, text: 'u' } },
      { ...body, source: 'api' },
    ];
    for (const other of others) {
      expect((await request(routine.id, other).expect(409)).body.code).toBe('idempotency_conflict');
    }
    expect(await runsOf(routine.id)).toHaveLength(1);
    const sibling = await harness.build.routine({ companyId: routine.companyId });
    expect((await run(sibling.id, body)).id).not.toBe(answers[0]?.id);
  });

  it.each([
    ['coalesce_if_active', 'coalesced'],
    ['skip_if_active', 'skipped'],
  ] as const)(
    'creates one issue for 20 concurrent calls with the policy %s, and returns %s runs to the other calls',
    async (concurrencyPolicy, status) => {
      const routine = await harness.build.routine({ concurrencyPolicy });
      await Promise.all(Array.from({ length: 20 }, () => run(routine.id)));
      const runs = await runsOf(routine.id);
      const [first, ...more] = runs.filter((one) => one.status === 'issue_created');
      expect(more).toEqual([]);
      const rest = runs.filter((one) => one !== first);
      expect(rest).toHaveLength(19);
      for (const one of rest) {
        expect(one).toMatchObject({
          status,
          activeRoutineRunId: first?.id,
          linkedIssueId: first?.linkedIssueId,
        });
        expect(one.completedAt).not.toBeNull();
      }
      expect(await issuesOf(routine)).toBe(1);
      expect(await wakesOf(routine)).toBe(1);
    },
  );

  it('creates 20 issues for 20 concurrent calls with the policy always_enqueue', async () => {
    const routine = await harness.build.routine({ concurrencyPolicy: 'always_enqueue' });
    const fired = await Promise.all(Array.from({ length: 20 }, () => run(routine.id)));
    expect(new Set(fired.map((one) => one.linkedIssueId)).size).toBe(20);
    expect(fired.every((one) => one.status === 'issue_created')).toBe(true);
    expect(await issuesOf(routine)).toBe(20);
  });

  it('wakes the assignee again if the open issue of the routine has no run', async () => {
    const routine = await harness.build.routine();
    const first = await run(routine.id);
    await run(routine.id);
    expect(await wakesOf(routine)).toBe(1);
    await harness.drain();
    const second = await run(routine.id);
    expect(second).toMatchObject({ status: 'coalesced', activeRoutineRunId: first.id });
    expect(await wakesOf(routine)).toBe(2);
    await harness.drain();
    await review(first.linkedIssueId);
    await update(first.linkedIssueId, { status: 'done' });
    expect(await run(routine.id)).toMatchObject({
      status: 'issue_created',
      activeRoutineRunId: null,
    });
  });

  it('wakes no agent if the open issue of the routine is assigned to a person', async () => {
    const routine = await harness.build.routine();
    const first = await run(routine.id);
    await harness.drain();
    await update(first.linkedIssueId, { assigneeUserId: 'me' });
    expect(await run(routine.id)).toMatchObject({
      status: 'coalesced',
      activeRoutineRunId: first.id,
    });
    expect(await wakesOf(routine)).toBe(1);
  });

  it('omits a large payload from the response and from the list, but not when a single run is read', async () => {
    const routine = await harness.build.routine();
    const payload = { text: 'x'.repeat(100_000) };
    const fired = await run(routine.id, { payload });
    expect(fired.payload).toMatchObject({ omitted: true });
    expect((await runsOf(routine.id))[0]?.payload).toEqual(fired.payload);
    const path = `/api/routines/${routine.id}/runs/${fired.id}`;
    expect((await harness.api.get(path).expect(200)).body.payload).toEqual(payload);
    let told = '';
    harness.scripted.on(routine.assigneeAgentId, (work) => {
      told = work.environment.SERVICE_WAKE_PAYLOAD ?? '';
      return { status: 'succeeded', exitCode: 0 };
    });
    await harness.drain();
    expect(JSON.parse(told)).toMatchObject({ omitted: true, readAt: path });
  });

  it('GET …/runs lists runs newest first, fifty per page', async () => {
    const routine = await harness.build.routine();
    for (let count = 0; count < 52; count++) await run(routine.id);
    const first = await harness.api.get(`/api/routines/${routine.id}/runs`).expect(200);
    expect(first.body).toHaveLength(50);
    const cursor = first.headers['x-next-cursor'];
    const rest = await harness.api
      .get(`/api/routines/${routine.id}/runs?cursor=${cursor}`)
      .expect(200);
    const times = [...first.body, ...rest.body].map((one: RoutineRunView) => one.createdAt);
    expect(times).toHaveLength(52);
    expect(times).toEqual([...times].sort().reverse());
    await harness.api.get(`/api/routines/${routine.id}/runs?limit=0`).expect(400);
    await harness.api.get(`/api/routines/${newId()}/runs`).expect(404);
  });
});
