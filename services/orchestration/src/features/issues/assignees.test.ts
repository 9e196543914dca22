import { inTransaction, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { lockAssignee } from '../../state/issues/assignees';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('assigning an issue to an agent', () => {
  const harness = useHarness();

  const wakeups = (agentId: string) =>
    harness.db.agentWakeup.findMany({ where: { agentId }, orderBy: { createdAt: 'asc' } });
  const eager = async (fields: object = {}) =>
    harness.build.agent({ wakeOnAssignment: true, ...fields });

  it('wakes an agent that has wakeOnAssignment, on create and on update', async () => {
    const agent = await eager();
    const { companyId } = agent;
    const created = await harness.build.issue({ companyId, assigneeAgentId: agent.id });
    const free = await harness.build.issue({ companyId });
    const give = { assigneeAgentId: agent.id };
    await harness.api.patch(`/api/issues/${free.id}`).send(give).expect(200);
    const rows = await wakeups(agent.id);
    expect(rows).toMatchObject([
      { source: 'assignment', status: 'pending', issueId: created.id, commentId: null, hops: 0 },
      { source: 'assignment', status: 'pending', issueId: free.id, commentId: null, hops: 0 },
    ]);
    await harness.drain();
    const runs = await harness.db.heartbeatRun.findMany({ where: { agentId: agent.id } });
    expect(runs).toMatchObject([{ source: 'assignment', status: 'succeeded' }]);
    expect(runs[0]?.wakeReasons).toMatchObject([
      { source: 'assignment', issueId: created.id },
      { source: 'assignment', issueId: free.id },
    ]);
  });

  it('wakes no agent if wakeOnAssignment is off, the assignee is unchanged, or the issue has ended', async () => {
    const agent = await eager();
    const { companyId } = agent;
    const issue = await harness.build.issue({ companyId, assigneeAgentId: agent.id });
    const patch = (id: string, body: object) =>
      harness.api.patch(`/api/issues/${id}`).send(body).expect(200);
    await patch(issue.id, { assigneeAgentId: agent.id.toUpperCase() });
    await patch(issue.id, { assigneeAgentId: agent.id, title: 'renamed' });
    expect(await wakeups(agent.id)).toHaveLength(1);

    for (const status of ['done', 'cancelled'] as const) {
      await harness.build.issue({ companyId, status, assigneeAgentId: agent.id });
      const over = await harness.build.issue({ companyId, status });
      await patch(over.id, { assigneeAgentId: agent.id });
    }
    const ending = await harness.build.issue({ companyId });
    await patch(ending.id, { assigneeAgentId: agent.id, status: 'cancelled' });
    expect(await wakeups(agent.id)).toHaveLength(1);

    const modest = await harness.build.agent({ companyId });
    await harness.build.issue({ companyId, assigneeAgentId: modest.id });
    await patch(issue.id, { assigneeAgentId: modest.id });
    await patch(issue.id, { assigneeAgentId: null });
    expect(await wakeups(modest.id)).toEqual([]);
  });

  it('does not wake an agent that assigns itself, and counts an assignment to another agent as a hop', async () => {
    const run = await harness.build.liveRun(await eager());
    const { companyId } = run.agent;
    const other = await eager({ companyId });
    const create = (assigneeAgentId: string) =>
      harness.api
        .post(`/api/companies/${companyId}/issues`)
        .set('Authorization', run.authorization)
        .send({ title: 'delegated', assigneeAgentId })
        .expect(201);
    await create(run.agent.id);
    expect(await wakeups(run.agent.id)).toEqual([]);
    await create(other.id);
    expect(await wakeups(other.id)).toMatchObject([{ hops: 1 }]);
    const hops = harness.config.mentionHopCap;
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops } });
    const { body } = await create(other.id);
    expect(await wakeups(other.id)).toHaveLength(1);
    const suppressed = await harness.api.get(
      `/api/companies/${companyId}/activity?action=wakeup.suppressed`,
    );
    expect(suppressed.body).toMatchObject([
      { entityId: body.id, details: { source: 'assignment', agentIds: [other.id] } },
    ]);
  });

  it('returns the id of the wake, by which the list of runs can be filtered', async () => {
    const agent = await eager();
    const { companyId } = agent;
    const runsOf = async (wakeupId: string, company = companyId) =>
      (await harness.api.get(`/api/companies/${company}/heartbeat-runs?wakeupId=${wakeupId}`)).body;
    const fields = { title: 'x', assigneeAgentId: agent.id };
    const created = await harness.api.post(`/api/companies/${companyId}/issues`).send(fields);
    const given = await harness.build.issue({ companyId });
    const updated = await harness.api
      .patch(`/api/issues/${given.id}`)
      .send({ assigneeAgentId: agent.id });
    const { body: comment } = await harness.api
      .post(`/api/issues/${given.id}/comments`)
      .send({ body: `@${agent.name} look` })
      .expect(201);
    const named = [created.body.woken[0], updated.body.woken[0], comment.mentions[0]];
    const wakeupIds: string[] = named.map((one) => one.wakeupId);
    expect(new Set(wakeupIds)).toEqual(new Set((await wakeups(agent.id)).map(({ id }) => id)));
    expect(await runsOf(wakeupIds[0] as string)).toEqual([]);
    await harness.drain();
    const run = await harness.db.heartbeatRun.findFirstOrThrow({ where: { agentId: agent.id } });
    for (const wakeupId of wakeupIds) {
      expect(await runsOf(wakeupId)).toMatchObject([{ id: run.id, status: 'succeeded' }]);
    }
    const other = await harness.build.company();
    expect(await runsOf(wakeupIds[0] as string, other.id)).toEqual([]);
    const path = `/api/companies/${companyId}/heartbeat-runs?wakeupId=x`;
    expect((await harness.api.get(path).expect(400)).body).toMatchObject({
      details: [{ path: ['wakeupId'], message: 'must be an id (a UUID)' }],
    });
  });

  it('returns the woken agent, or the reason why it was not woken', async () => {
    const agent = await eager();
    const { companyId, id: agentId } = agent;
    const skipped = (reason: string) => [{ agentId, outcome: 'skipped', reason, ...NO_WAKE }];
    const create = async (body: object = {}, headers: Record<string, string> = {}) => {
      const path = `/api/companies/${companyId}/issues`;
      const fields = { title: 'x', assigneeAgentId: agentId, ...body };
      return (await harness.api.post(path).set(headers).send(fields).expect(201)).body;
    };
    const give = async (body: object = {}) => {
      const { id } = await harness.build.issue({ companyId });
      const fields = { assigneeAgentId: agentId, ...body };
      return (await harness.api.patch(`/api/issues/${id}`).send(fields).expect(200)).body;
    };
    expect((await create({ assigneeAgentId: null })).woken).toEqual([]);
    expect((await give({ assigneeAgentId: null })).woken).toEqual([]);
    const first = await create();
    const started = { heartbeatRunId: null, wakeupId: expect.any(String) };
    expect(first.woken).toEqual([{ agentId, outcome: 'queued', reason: null, ...started }]);
    expect((await harness.api.get(`/api/issues/${first.id}`)).body).not.toHaveProperty('woken');
    const coalesced = { agentId, outcome: 'coalesced', reason: null, ...started };
    expect((await give()).woken).toEqual([coalesced]);
    await harness.drain();
    const waiting = await harness.build.queuedRun(agentId);
    for (const made of [await create(), await give()]) {
      expect(made.woken).toEqual([{ ...coalesced, heartbeatRunId: waiting.id }]);
    }
    const open = await harness.build.issue({ companyId });
    const blockedBy = [open.id];
    for (const made of [await create({ blockedBy }), await give({ blockedBy })]) {
      expect(made.woken).toEqual(skipped('the issue waits for another issue'));
    }
    expect((await create({ status: 'done' })).woken).toEqual(skipped('the issue is done'));
    const { authorization } = await harness.build.liveRun(agent);
    const own = await create({}, { Authorization: authorization });
    expect(own.woken).toEqual(skipped('the agent assigned the issue to itself'));
    await harness.api.post(`/api/agents/${agentId}/pause`).expect(200);
    for (const made of [await create(), await give()]) {
      expect(made.woken).toEqual(skipped('the agent is paused'));
    }
    const off = { wakeOnAssignment: false };
    await harness.api.patch(`/api/agents/${agentId}`).send(off).expect(200);
    for (const made of [await create(), await give()]) {
      expect(made.woken).toEqual(skipped('wakeOnAssignment is off'));
    }
  });

  it('uses one database connection for the issue and the wake', async () => {
    const agent = await eager();
    const other = await harness.build.issue({ companyId: agent.companyId });
    const path = `/api/companies/${agent.companyId}/issues`;
    const connections: number[] = [];
    for (const more of [{}, { assigneeAgentId: agent.id }, { blockedBy: [other.id] }]) {
      const taken = jest.spyOn(harness.context.db.pool, 'connect');
      await harness.api
        .post(path)
        .send({ title: 'x', ...more })
        .expect(201);
      connections.push(taken.mock.calls.length);
      taken.mockRestore();
    }
    expect(connections).toEqual([1, 1, 1]);
    expect(await wakeups(agent.id)).toHaveLength(1);
  });

  it.each(['terminated', 'pending_approval'] as const)(
    'fails with 422 for a %s agent',
    async (status) => {
      const agent = await eager();
      const { companyId } = agent;
      const issue = await harness.build.issue({ companyId });
      await harness.db.agent.update({ where: { id: agent.id }, data: { status } });
      const before = await everything(harness);
      const body = { title: 'x', assigneeAgentId: agent.id };
      const refused = { code: 'semantic_error', details: { field: 'assigneeAgentId', status } };
      const created = await harness.api.post(`/api/companies/${companyId}/issues`).send(body);
      expect(created).toMatchObject({ status: 422, body: refused });
      const updated = await harness.api.patch(`/api/issues/${issue.id}`).send(body);
      expect(updated).toMatchObject({ status: 422, body: refused });
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('fails for a foreign or unknown agent, and changes nothing', async () => {
    const stranger = await eager();
    const issue = await harness.build.issue();
    const before = await everything(harness);
    for (const [assigneeAgentId, status, code] of [
      [stranger.id, 403, 'cross_company'],
      [newId(), 422, 'unknown_reference'],
    ] as const) {
      const refused = { status, body: { code, details: { field: 'assigneeAgentId' } } };
      const body = { title: 'x', assigneeAgentId };
      const created = await harness.api.post(`/api/companies/${issue.companyId}/issues`).send(body);
      expect(created).toMatchObject(refused);
      expect(await harness.api.patch(`/api/issues/${issue.id}`).send(body)).toMatchObject(refused);
    }
    const malformed = await harness.api
      .patch(`/api/issues/${issue.id}`)
      .send({ assigneeAgentId: 'Ada' })
      .expect(400);
    expect(malformed.body.details).toMatchObject([{ path: ['assigneeAgentId'] }]);
    expect(await everything(harness)).toEqual(before);
  });

  it('leaves no open issue assigned to an agent that is terminated concurrently', async () => {
    const agent = await eager();
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    const { db } = harness.context;
    const waits = () => db.pool.query(LOCK_WAITS).then(({ rows }) => rows.length > 0);
    const terminated = await inTransaction(db, async (tx) => {
      await lockAssignee(tx, agent.companyId, agent.id);
      const ending = harness.api
        .post(`/api/agents/${agent.id}/terminate`)
        .then((end) => end.status);
      await until('the termination to wait', waits);
      await tx.prisma.issue.update({
        where: { id: issue.id },
        data: { assigneeAgentId: agent.id },
      });
      return { ending };
    });
    expect(await terminated.ending).toBe(200);
    const after = await harness.db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    expect(after.assigneeAgentId).toBeNull();
  });
});
