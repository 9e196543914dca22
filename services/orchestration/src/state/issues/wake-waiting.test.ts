import { until } from '@switchyard/testing';
import type { AgentDetailView, CreateIssueBody, IssueView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { updateIssue } from '../../features/issues/update-issue';
import { LOCAL_BOARD } from '../../kernel/actor';
import { inTransaction } from '../../kernel/call';

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('the end of an issue', () => {
  const harness = useHarness();
  let agent: AgentDetailView;
  let companyId: string;

  beforeEach(async () => {
    agent = await harness.build.agent();
    companyId = agent.companyId;
  });

  const issue = (body: Partial<CreateIssueBody> = {}) =>
    harness.build.issue({ companyId, ...body });
  const several = (count: number, body: Partial<CreateIssueBody> = {}) =>
    Promise.all(Array.from({ length: count }, () => issue({ status: 'in_review', ...body })));
  const ids = (all: IssueView[]) => all.map(({ id }) => id);
  const patch = (id: string, body: object) =>
    harness.api.patch(`/api/issues/${id}`).send(body).expect(200);
  const wakes = () =>
    harness.db.agentWakeup.findMany({ where: { companyId }, orderBy: { createdAt: 'asc' } });
  const records = (entityId: string, action: string) =>
    harness.db.activity.findMany({ where: { entityId, action } });
  const callOf = () => {
    const { context } = harness;
    return { context, db: context.db, actor: LOCAL_BOARD, companyId, runId: null };
  };
  const someoneWaits = async () =>
    (await harness.context.db.pool.query(LOCK_WAITS)).rows.length > 0;

  it('wakes the assignee of an issue when its last open blocker is done or cancelled', async () => {
    const [a, b, c] = (await several(3)) as [IssueView, IssueView, IssueView];
    const blockedBy = ids([a, b, c]);
    const waiting = await issue({ assigneeAgentId: agent.id, status: 'todo', blockedBy });
    await patch(a.id, { status: 'done' });
    await patch(b.id, { status: 'in_progress' });
    await patch(b.id, { status: 'cancelled' });
    expect(await wakes()).toEqual([]);
    await patch(c.id, { status: 'done' });
    const payload = { issueId: waiting.id, blockerIds: [...blockedBy].sort() };
    expect(await wakes()).toMatchObject([
      { agentId: agent.id, source: 'assignment', reason: 'blockers_ended', payload, hops: 0 },
    ]);
    expect(await records(waiting.id, 'issue.blockers_ended')).toMatchObject([
      { details: { agentId: agent.id, blockerIds: payload.blockerIds }, actorType: 'user' },
    ]);
    await harness.drain();
    const [run] = await harness.db.heartbeatRun.findMany({ where: { agentId: agent.id } });
    expect(run).toMatchObject({
      status: 'succeeded',
      issueId: waiting.id,
      wakeReasons: [{ reason: 'blockers_ended', issueId: waiting.id, payload }],
    });
  });

  it('wakes the assignee of the parent when the last open child ends', async () => {
    const parent = await issue({ assigneeAgentId: agent.id });
    const [a, b] = (await several(2, { parentId: parent.id })) as [IssueView, IssueView];
    await issue({ parentId: a.id });
    await patch(b.id, { status: 'cancelled' });
    expect(await wakes()).toEqual([]);
    await patch(a.id, { status: 'done' });
    const childIds = [a, b].sort((x, y) => x.issueNumber - y.issueNumber).map(({ id }) => id);
    const payload = { issueId: parent.id, childIds, children: 2 };
    expect(await wakes()).toMatchObject([
      { agentId: agent.id, issueId: parent.id, reason: 'children_ended', payload },
    ]);
    expect(await records(parent.id, 'issue.children_ended')).toHaveLength(1);
  });

  it('wakes the assignee once, after the last blocker has ended, if children also block their parent', async () => {
    const parent = await issue({ assigneeAgentId: agent.id });
    const [child] = (await several(1, { parentId: parent.id })) as [IssueView];
    const [other] = (await several(1)) as [IssueView];
    await patch(parent.id, { blockedBy: [child.id, other.id] });
    await patch(child.id, { status: 'done' });
    expect(await wakes()).toEqual([]);
    await patch(other.id, { status: 'done' });
    expect(await wakes()).toMatchObject([{ reason: 'blockers_ended' }]);

    const next = await issue({ assigneeAgentId: agent.id });
    const [last] = (await several(1, { parentId: next.id })) as [IssueView];
    await patch(next.id, { blockedBy: [last.id] });
    await patch(last.id, { status: 'done' });
    const [, second, ...more] = await wakes();
    expect(more).toEqual([]);
    const payload = { issueId: next.id, blockerIds: [last.id], childIds: [last.id], children: 1 };
    expect(second).toMatchObject({ reason: 'blockers_ended', payload });
  });

  it('wakes no agent for an ended issue or parent, and records a skip only for a missing assignee', async () => {
    const [blocker] = (await several(1)) as [IssueView];
    const over = await issue({ assigneeAgentId: agent.id, blockedBy: [blocker.id] });
    const parent = await issue({ assigneeAgentId: agent.id });
    const [child] = (await several(1, { parentId: parent.id })) as [IssueView];
    await patch(over.id, { status: 'cancelled' });
    await patch(parent.id, { status: 'cancelled' });
    const free = await issue({ blockedBy: [blocker.id] });
    await patch(blocker.id, { status: 'done' });
    await patch(child.id, { status: 'done' });
    expect(await wakes()).toEqual([]);
    expect(await records(free.id, 'issue.blockers_ended')).toMatchObject([
      { details: { agentId: null, skipped: 'no_assignee' } },
    ]);
    expect(await records(over.id, 'issue.blockers_ended')).toEqual([]);
    expect(await records(parent.id, 'issue.children_ended')).toEqual([]);
  });

  it('does not wake a paused or terminated agent, or an agent beyond the hop cap', async () => {
    const [a, b, c] = (await several(3)) as [IssueView, IssueView, IssueView];
    const give = (blocker: IssueView) =>
      issue({ assigneeAgentId: agent.id, blockedBy: [blocker.id] });
    const run = await harness.build.liveRun({ companyId });
    const as = { Authorization: run.authorization };
    const hops = harness.config.mentionHopCap;
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops } });
    const fields = { title: 'x', assigneeAgentId: agent.id, blockedBy: [a.id] };
    const path = `/api/companies/${companyId}/issues`;
    const { body: held } = await harness.api.post(path).set(as).send(fields).expect(201);
    await patch(a.id, { status: 'done' });
    expect(await wakes()).toEqual([]);
    expect(await records(held.id, 'wakeup.suppressed')).toMatchObject([
      { details: { reason: 'hop_limit', hops: hops + 1, agentIds: [agent.id] } },
    ]);
    expect(await records(held.id, 'issue.blockers_ended')).toMatchObject([
      { details: { agentId: agent.id, skipped: 'hop_limit' } },
    ]);

    await give(b);
    await harness.api.post(`/api/agents/${agent.id}/pause`).expect(200);
    await patch(b.id, { status: 'done' });
    await harness.drain();
    expect(await wakes()).toMatchObject([{ status: 'skipped', skipReason: 'agent_paused_manual' }]);

    const last = await give(c);
    await harness.db.agent.update({
      where: { id: agent.id },
      data: { status: 'terminated', pauseReason: null, pausedAt: null },
    });
    await patch(c.id, { status: 'done' });
    expect(await wakes()).toHaveLength(1);
    expect(await records(last.id, 'issue.blockers_ended')).toMatchObject([
      { details: { agentId: null } },
    ]);
  });

  it('wakes agents along a chain of issues that is longer than the hop cap', async () => {
    const run = await harness.build.liveRun({ companyId });
    const as = { Authorization: run.authorization };
    const all = await several(harness.config.mentionHopCap + 3, { assigneeAgentId: agent.id });
    for (const [at, { id }] of all.entries()) {
      const before = at === 0 ? [] : [all[at - 1]?.id];
      await harness.api.patch(`/api/issues/${id}`).set(as).send({ blockedBy: before }).expect(200);
    }
    for (const [at, { id }] of all.entries()) {
      await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops: at } });
      await harness.api.patch(`/api/issues/${id}`).set(as).send({ status: 'done' }).expect(200);
    }
    const rows = await wakes();
    expect(rows.map(({ issueId }) => issueId)).toEqual(ids(all.slice(1)));
    expect(new Set(rows.map(({ hops }) => hops))).toEqual(new Set([1]));

    const parent = await issue({ assigneeAgentId: agent.id });
    const [child] = (await several(1, { parentId: parent.id })) as [IssueView];
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops: 3 } });
    await harness.api.patch(`/api/issues/${child.id}`).set(as).send({ status: 'done' }).expect(200);
    expect((await wakes()).at(-1)).toMatchObject({ reason: 'children_ended', hops: 4 });
  });

  it.each(['blockers', 'children'])(
    'wakes once if the last %s end at the same instant',
    async (kind) => {
      const parent = await issue({ assigneeAgentId: agent.id });
      const fields = kind === 'children' ? { parentId: parent.id } : {};
      const [a, b] = (await several(2, fields)) as [IssueView, IssueView];
      if (kind === 'blockers') await patch(parent.id, { blockedBy: [a.id, b.id] });
      const { second } = await inTransaction(callOf(), async (tx) => {
        await updateIssue(tx, a.id, { status: 'done' });
        const ended = patch(b.id, { status: 'done' }).then(({ status }) => status);
        await until('the second end to wait for the first', someoneWaits);
        return { second: ended };
      });
      expect(await second).toBe(200);
      expect(await wakes()).toHaveLength(1);

      const more = await several(12, fields);
      if (kind === 'blockers') await patch(parent.id, { blockedBy: ids(more) });
      await Promise.all(more.map(({ id }) => patch(id, { status: 'done' })));
      expect(await wakes()).toHaveLength(2);
    },
  );

  it('wakes the assignee of an issue that concurrently becomes blocked by the ending issue', async () => {
    const [blocker, kept] = (await several(2)) as [IssueView, IssueView];
    const waiting = await issue({ assigneeAgentId: agent.id });
    const { ended } = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, waiting.id, { blockedBy: [blocker.id] });
      const end = patch(blocker.id, { status: 'done' }).then(({ status }) => status);
      await until('the end to wait for the change', someoneWaits);
      return { ended: end };
    });
    expect(await ended).toBe(200);
    expect(await wakes()).toHaveLength(1);

    const [open] = (await several(1)) as [IssueView];
    const next = await issue({ assigneeAgentId: agent.id, blockedBy: [kept.id, open.id] });
    const { last } = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, next.id, { blockedBy: [kept.id] });
      const end = patch(kept.id, { status: 'done' }).then(({ status }) => status);
      await until('the end to wait for the change', someoneWaits);
      return { last: end };
    });
    expect(await last).toBe(200);
    expect(await wakes()).toHaveLength(2);
  });

  it('wakes the new assignee of a waiting issue that is reassigned concurrently', async () => {
    const other = await harness.build.agent({ companyId, wakeOnAssignment: true });
    const [blocker, later] = (await several(2)) as [IssueView, IssueView];
    const waiting = await issue({ assigneeAgentId: agent.id, blockedBy: [blocker.id] });
    const assigned = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, blocker.id, { status: 'done' });
      const given = patch(waiting.id, { assigneeAgentId: other.id }).then(({ body }) => body);
      await until('the assignment to wait for the end', someoneWaits);
      return { given };
    });
    expect((await assigned.given).woken).toMatchObject([{ agentId: other.id, outcome: 'queued' }]);
    expect((await wakes()).map(({ agentId }) => agentId)).toContain(other.id);

    const next = await issue({ assigneeAgentId: agent.id, blockedBy: [later.id] });
    const before = (await wakes()).length;
    const end = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, next.id, { assigneeAgentId: other.id });
      const ended = patch(later.id, { status: 'done' }).then(({ status }) => status);
      await until('the end to wait for the assignment', someoneWaits);
      return { ended };
    });
    expect(await end.ended).toBe(200);
    expect((await wakes()).slice(before)).toMatchObject([
      { agentId: other.id, issueId: next.id, reason: 'blockers_ended' },
    ]);
  });

  it('wakes the assignee only once if a waiting issue is reopened concurrently', async () => {
    const [blocker] = (await several(1)) as [IssueView];
    const woken = await harness.build.agent({ companyId, wakeOnAssignment: true });
    const waiting = await issue({ assigneeAgentId: woken.id, blockedBy: [blocker.id] });
    await patch(waiting.id, { status: 'cancelled' });
    const reopened = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, blocker.id, { status: 'done' });
      const given = harness.api.post(`/api/issues/${waiting.id}/reopen`).send({}).expect(200);
      const opened = given.then(({ body }) => body);
      await until('the reopening to wait for the end', someoneWaits);
      return { opened };
    });
    expect((await reopened.opened).woken).toMatchObject([{ outcome: 'queued' }]);
    expect(await wakes()).toHaveLength(1);
  });

  it('does not prevent the wake of a new assignee if the issue is reassigned and reopened concurrently', async () => {
    const other = await harness.build.agent({ companyId, wakeOnAssignment: true });
    const over = await issue({ assigneeAgentId: agent.id, status: 'done' });
    const reopened = await inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, over.id, { assigneeAgentId: other.id });
      const path = `/api/issues/${over.id}/reopen`;
      const opened = harness.api.post(path).send({}).expect(200);
      const answer = opened.then(({ body }) => body);
      await until('the reopening to wait for the change', someoneWaits);
      return { answer };
    });
    expect(await reopened.answer).toMatchObject({
      status: 'todo',
      assigneeAgentId: other.id,
      woken: [{ agentId: other.id, outcome: 'queued' }],
    });
  });

  it('undoes its wakes if the transaction is rolled back', async () => {
    const [blocker] = (await several(1)) as [IssueView];
    await issue({ assigneeAgentId: agent.id, blockedBy: [blocker.id] });
    const failing = inTransaction(callOf(), async (tx) => {
      await updateIssue(tx, blocker.id, { status: 'done' });
      throw new Error('the process dies');
    });
    await expect(failing).rejects.toThrow('the process dies');
    expect(await wakes()).toEqual([]);
    await patch(blocker.id, { status: 'done' });
    expect(await wakes()).toHaveLength(1);
  });

  it('wakes the assignee, as does the removal of the last open blocker', async () => {
    const [a, b] = (await several(2)) as [IssueView, IssueView];
    const waiting = await issue({ assigneeAgentId: agent.id, blockedBy: [a.id, b.id] });
    const { body: first } = await patch(waiting.id, { blockedBy: [b.id] });
    expect(first.woken).toEqual([]);
    const { body: second } = await patch(waiting.id, { blockedBy: [] });
    expect(second.woken).toMatchObject([{ agentId: agent.id, outcome: 'queued', reason: null }]);
    expect(await wakes()).toMatchObject([{ reason: 'blockers_removed', issueId: waiting.id }]);
    await patch(waiting.id, { blockedBy: [] });
    expect(await wakes()).toHaveLength(1);
  });
});
