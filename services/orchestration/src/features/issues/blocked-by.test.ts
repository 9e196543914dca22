import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { IssueView, ListedIssueView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { LOCAL_BOARD } from '../../kernel/actor';
import { inTransaction } from '../../kernel/call';
import { updateIssue } from './update-issue';

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('blockedBy', () => {
  const harness = useHarness();

  const issues = (companyId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => harness.build.issue({ companyId })));
  const patch = (id: string, body: object) => harness.api.patch(`/api/issues/${id}`).send(body);
  const blockersOf = async (id: string): Promise<string[]> => {
    const { body } = await harness.api.get(`/api/issues/${id}`).expect(200);
    return body.blockedBy.map((blocker: { issueId: string }) => blocker.issueId);
  };
  const changes = async (companyId: string) => {
    const path = `/api/companies/${companyId}/activity?action=issue.blockers_changed`;
    return (await harness.api.get(path).expect(200)).body;
  };
  const waits = async () => (await harness.context.db.pool.query(LOCK_WAITS)).rows.length > 0;

  it('can be set on create, and is returned in the order of issue numbers', async () => {
    const { id: companyId } = await harness.build.company();
    const [first, second] = (await issues(companyId, 2)).sort(
      (a, b) => a.issueNumber - b.issueNumber,
    ) as [IssueView, IssueView];
    const blockedBy = [second.id.toUpperCase(), first.id, second.id];
    const { body: made } = await harness.api
      .post(`/api/companies/${companyId}/issues`)
      .send({ title: 'Third', blockedBy })
      .expect(201);
    const { body } = await harness.api.get(`/api/issues/${made.id}`).expect(200);
    expect(body.blockedBy).toEqual(
      [first, second].map(({ id, identifier, title, status }) => ({
        issueId: id,
        identifier,
        title,
        status,
      })),
    );
    const created = await harness.db.activity.findFirstOrThrow({ where: { entityId: made.id } });
    expect(created).toMatchObject({
      action: 'issue.created',
      details: { blockedBy: expect.arrayContaining([first.id, second.id]) },
    });

    await patch(second.id, { status: 'cancelled' }).expect(200);
    const { body: list } = await harness.api.get(`/api/companies/${companyId}/issues`).expect(200);
    const counts = (list as ListedIssueView[]).map((row) => [row.id, row.blockedByCount]);
    expect(new Map(counts as [string, number][])).toEqual(
      new Map([
        [made.id, 1],
        [first.id, 0],
        [second.id, 0],
      ]),
    );
    expect(await blockersOf(made.id)).toHaveLength(2);
  });

  it('replaces all blockers of the issue, and is recorded once per change', async () => {
    const { id: companyId } = await harness.build.company();
    const [issue, a, b, c] = (await issues(companyId, 4)) as [
      IssueView,
      IssueView,
      IssueView,
      IssueView,
    ];
    await patch(issue.id, { blockedBy: [a.id, b.id] }).expect(200);
    const before = await everything(harness);
    await patch(issue.id, { blockedBy: [b.id, a.id] }).expect(200);
    await patch(issue.id, {}).expect(200);
    expect(await everything(harness)).toEqual(before);
    const { body } = await patch(issue.id, { blockedBy: [c.id, b.id] }).expect(200);
    expect(body.updatedAt > issue.updatedAt).toBe(true);
    expect((await blockersOf(issue.id)).sort()).toEqual([b.id, c.id].sort());
    await patch(issue.id, { blockedBy: [] }).expect(200);
    expect(await blockersOf(issue.id)).toEqual([]);
    expect(await changes(companyId)).toMatchObject([
      { entityId: issue.id, details: { added: [], removed: [b.id, c.id].sort(), open: 0 } },
      { entityId: issue.id, details: { added: [c.id], removed: [a.id], open: 2 } },
      { entityId: issue.id, details: { added: expect.any(Array), removed: [], open: 2 } },
    ]);
  });

  it('can be changed by agents, and does not prevent a checkout', async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const [issue, blocker] = (await issues(companyId, 2)) as [IssueView, IssueView];
    const as = { Authorization: run.authorization };
    await patch(issue.id, { blockedBy: [blocker.id] })
      .set(as)
      .expect(200);
    const [change] = await changes(companyId);
    expect(change).toMatchObject({ actorId: run.agent.id, runId: run.id });
    await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set(as)
      .send({ agentId: run.agent.id, expectedStatuses: ['backlog'] })
      .expect(200);
  });

  it('must not contain the issue itself or form a cycle of any length', async () => {
    const { id: companyId } = await harness.build.company();
    const [a, b, c] = (await issues(companyId, 3)) as [IssueView, IssueView, IssueView];
    await patch(b.id, { blockedBy: [a.id] }).expect(200);
    await patch(c.id, { blockedBy: [b.id] }).expect(200);
    const before = await everything(harness);
    const refused = { code: 'cycle', details: { field: 'blockedBy' } };
    for (const blocker of [a, b, c]) {
      const { body } = await patch(a.id, { blockedBy: [blocker.id] }).expect(422);
      expect(body).toMatchObject(refused);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('does not form a cycle through concurrent updates', async () => {
    const { id: companyId } = await harness.build.company();
    const [a, b] = (await issues(companyId, 2)) as [IssueView, IssueView];
    const { context } = harness;
    const call = { context, db: context.db, actor: LOCAL_BOARD, companyId, runId: null };
    const { second } = await inTransaction(call, async (tx) => {
      await updateIssue(tx, a.id, { blockedBy: [b.id] });
      const answer = patch(b.id, { blockedBy: [a.id] }).then((response) => response);
      await until('the second change to wait', waits);
      return { second: answer };
    });
    expect(await second).toMatchObject({ status: 422, body: { code: 'cycle' } });

    const many = await issues(companyId, 6);
    const answers = await Promise.all(
      many.map(({ id }, at) => patch(id, { blockedBy: [many[(at + 1) % many.length]?.id] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 422]);
  });

  it('cannot deadlock with a change of the parent, because both changes take the same lock first', async () => {
    const { id: companyId } = await harness.build.company();
    const [parent, a, b] = (await issues(companyId, 3)) as [IssueView, IssueView, IssueView];
    const { context } = harness;
    const call = { context, db: context.db, actor: LOCAL_BOARD, companyId, runId: null };
    const { other } = await inTransaction(call, async (tx) => {
      await updateIssue(tx, a.id, { parentId: parent.id });
      const waiting = patch(b.id, { parentId: parent.id }).then(({ status }) => status);
      await until('the other to wait for this one', waits);
      const free = 'SELECT id FROM issue WHERE id = $1 FOR NO KEY UPDATE NOWAIT';
      expect((await context.db.pool.query(free, [b.id])).rows).toHaveLength(1);
      await updateIssue(tx, a.id, { blockedBy: [b.id] });
      return { other: waiting };
    });
    expect(await other).toBe(200);
  });

  it('does not change if an update contains foreign or unknown issues', async () => {
    const issue = await harness.build.issue();
    const own = await harness.build.issue({ companyId: issue.companyId });
    const stranger = await harness.build.issue();
    const before = await everything(harness);
    for (const [blocker, status, code] of [
      [stranger.id, 403, 'cross_company'],
      [newId(), 422, 'unknown_reference'],
    ] as const) {
      const refused = { status, body: { code, details: { field: 'blockedBy' } } };
      const body = { title: 'x', blockedBy: [own.id, blocker] };
      const created = await harness.api.post(`/api/companies/${issue.companyId}/issues`).send(body);
      expect(created).toMatchObject(refused);
      expect(await patch(issue.id, body)).toMatchObject(refused);
    }
    for (const blockedBy of [['ACM-1'], own.id, null, Array(51).fill(own.id), [null]]) {
      const { body } = await patch(issue.id, { blockedBy }).expect(400);
      expect(body.details[0].path[0]).toBe('blockedBy');
    }
    expect(await everything(harness)).toEqual(before);
    const { companyId } = issue;
    const row = { companyId, issueId: issue.id, blockerId: stranger.id };
    await expect(harness.db.issueBlocker.create({ data: row })).rejects.toThrow('Foreign key');
    const self = { companyId, issueId: issue.id, blockerId: issue.id };
    await expect(harness.db.issueBlocker.create({ data: self })).rejects.toThrow('self_check');
  });
});
