import { INBOX_KIND_NAMES, type InboxCounts } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { useHarness } from '../../../test/harness';
import { inboxOf } from '../../../test/inbox-actions';

const SOMEDAY = '2099-01-01T00:00:00.000Z';

describe('snoozed and dismissed inbox items', () => {
  const harness = useHarness();

  const blocked = async () => {
    const issue = await harness.build.issue({ status: 'blocked' });
    const path = `/api/companies/${issue.companyId}/inbox`;
    return { issue, path, itemPath: `${path}/blocked_issue:${issue.id}` };
  };
  const idsOf = async (companyId: string, query = '') =>
    (await inboxOf(harness.api, companyId, query)).map(({ id }) => id);
  const setStatus = (id: string, status: string) =>
    harness.api.patch(`/api/issues/${id}`).send({ status }).expect(200);

  it('stay hidden until their cause recurs or a person restores them', async () => {
    const { api } = harness;
    const { issue, itemPath } = await blocked();
    const { companyId } = issue;
    const itemId = `blocked_issue:${issue.id}`;
    const { body } = await api.post(`${itemPath}/dismiss`).expect(200);
    expect(body).toMatchObject({ id: itemId, snoozedUntil: null });
    expect(body.dismissedAt).not.toBeNull();
    expect(await idsOf(companyId)).toEqual([]);
    expect(await idsOf(companyId, '?include=snoozed')).toEqual([]);
    expect(await idsOf(companyId, '?include=snoozed,dismissed')).toEqual([itemId]);
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'Another' }).expect(200);
    expect(await idsOf(companyId)).toEqual([]);
    await setStatus(issue.id, 'todo');
    await harness.context.db.pool.query(`UPDATE issue SET status = 'blocked' WHERE id = $1`, [
      issue.id,
    ]);
    expect(await idsOf(companyId)).toEqual([itemId]);
    await api.post(`${itemPath}/dismiss`).expect(200);
    await api.delete(`${itemPath}/dismiss`).expect(204);
    await api.delete(`${itemPath}/dismiss`).expect(204);
    expect(await idsOf(companyId)).toEqual([itemId]);
    const restored = { action: 'inbox_item.restored', entityId: itemId };
    expect(await harness.db.activity.count({ where: restored })).toBe(1);
  });

  it('reappear when the snooze ends', async () => {
    const { api, context } = harness;
    const { issue, itemPath } = await blocked();
    const { companyId } = issue;
    const { body } = await api.post(`${itemPath}/snooze`).send({ until: SOMEDAY }).expect(200);
    expect(body).toMatchObject({ snoozedUntil: SOMEDAY, dismissedAt: null });
    expect(await idsOf(companyId)).toEqual([]);
    expect(await idsOf(companyId, '?include=snoozed')).toHaveLength(1);
    await context.db.pool.query(
      `UPDATE hidden_inbox_item SET until = now() - interval '1 second' WHERE company_id = $1`,
      [companyId],
    );
    expect(await idsOf(companyId)).toHaveLength(1);
  });

  it('count as snoozed or dismissed, but not towards the total', async () => {
    const { api, build } = harness;
    const { issue, path, itemPath } = await blocked();
    const { companyId } = issue;
    const counts = async () => (await api.get(`${path}/counts`).expect(200)).body as InboxCounts;
    await build.issue({ companyId, status: 'in_review' });
    expect(await counts()).toMatchObject({
      total: 2,
      bySeverity: { blocking: 1, warning: 1, info: 0 },
      byKind: { blocked_issue: 1, issue_review: 1, failed_run: 0 },
      snoozed: 0,
      dismissed: 0,
    });
    await api.post(`${itemPath}/snooze`).send({ until: SOMEDAY }).expect(200);
    const after = await counts();
    expect(after).toMatchObject({ total: 1, snoozed: 1, dismissed: 0 });
    expect(Object.keys(after.byKind).sort()).toEqual([...INBOX_KIND_NAMES].sort());
  });

  it('reappear when a spend alert recurs, but not when only the budget changes', async () => {
    const { api, build } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    const { id, companyId } = agent;
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    const spend = (costCents: number) =>
      api
        .post(`/api/companies/${companyId}/cost-events`)
        .send({ ...cost, agentId: id, costCents })
        .expect(201);
    await spend(85);
    await api.post(`/api/companies/${companyId}/inbox/budget_near:${id}/dismiss`).expect(200);
    expect(await idsOf(companyId)).toEqual([]);
    await api.patch(`/api/agents/${id}`).send({ budgetMonthlyCents: 200 }).expect(200);
    expect(await idsOf(companyId)).toEqual([]);
    await spend(85);
    expect(await idsOf(companyId)).toEqual([`budget_near:${id}`]);
  });

  it('can be snoozed until a time with any UTC offset', async () => {
    const { itemPath } = await blocked();
    for (const offset of ['+23:59', '-23:59', '+16:00']) {
      const until = `2050-01-01T00:00:00${offset}`;
      const { body } = await harness.api.post(`${itemPath}/snooze`).send({ until }).expect(200);
      expect(body.snoozedUntil).toBe(new Date(until).toISOString());
    }
  });

  it('cannot be hidden if they do not exist in the company (404) or if the time is invalid (400)', async () => {
    const { api } = harness;
    const { issue, path, itemPath } = await blocked();
    const refused = await api.post(`${itemPath}/snooze`).send({ until: '2020-01-01T00:00:00Z' });
    expect([refused.status, refused.body.details[0].path]).toEqual([400, ['until']]);
    await api.post(`${itemPath}/snooze`).send({ until: '9999-12-31T23:59:59-10:00' }).expect(400);
    await api.post(`${itemPath}/snooze`).send({}).expect(400);
    await api.post(`${itemPath}/snooze`).send({ until: 'tomorrow' }).expect(400);
    await api.post(`${path}/failed_run:${issue.id}/dismiss`).expect(404);
    await api.post(`${path}/nonsense/dismiss`).expect(404);
    await api.post(`${path}/no_kind:${issue.id}/dismiss`).expect(404);
    await api.get(`${path}?include=all`).expect(400);
    const other = await blocked();
    await api.post(`${path}/blocked_issue:${other.issue.id}/dismiss`).expect(404);
    expect(await harness.db.hiddenInboxItem.count({ where: { companyId: issue.companyId } })).toBe(
      0,
    );
  });
});

describe('the inbox with several people', () => {
  const harness = useAuthenticatedHarness();

  it('counts the shared items once for two persons, and own issues for each', async () => {
    const { build, operator, as, context } = harness;
    const { id: companyId } = await build.company();
    await build.issue({ companyId, status: 'blocked' });
    const [one, other] = [await operator(companyId), await operator(companyId)];
    await build.issue({ companyId, status: 'todo', assigneeUserId: one.id });
    const client = await context.db.pool.connect();
    const query = jest.spyOn(Object.getPrototypeOf(client), 'query');
    client.release();
    try {
      const countsOf = async (caller: typeof one) =>
        (await as(caller).get(`/api/companies/${companyId}/inbox/counts`).expect(200)).body.byKind;
      const [ofOne, ofOther] = await Promise.all([countsOf(one), countsOf(other)]);
      expect(ofOne).toMatchObject({ blocked_issue: 1, own_issue: 1 });
      expect(ofOther).toMatchObject({ blocked_issue: 1, own_issue: 0 });
      const names = query.mock.calls.map(([first]) => (first as { name?: string }).name);
      expect(names.filter((name) => name === 'inbox-counts-of-work')).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
  });

  it('has separate dismissals per person, and only actions that the person may take', async () => {
    const { build, operator, as, founding } = harness;
    const { id: companyId } = await build.company({ budgetMonthlyCents: 100 });
    const { id: issueId } = await build.issue({ companyId, status: 'blocked' });
    const agent = await build.agent({ companyId });
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    await founding
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ ...cost, agentId: agent.id, costCents: 100 })
      .expect(201);
    await founding
      .post(`/api/companies/${companyId}/invites`)
      .send({ email: 'new@example.com', role: 'viewer' })
      .expect(201);
    const [ops, viewer] = [as(await operator(companyId)), as(await operator(companyId, 'viewer'))];
    const namesOf = async (caller: typeof ops) =>
      Object.fromEntries(
        (await inboxOf(caller, companyId)).map(({ kind, actions }) => [
          kind,
          actions.map(({ name }) => name),
        ]),
      );
    expect(await namesOf(founding)).toEqual({
      blocked_issue: ['unblock', 'reassign', 'complete', 'cancel'],
      budget_spent: ['raise_budget'],
      invite: ['revoke'],
    });
    expect(await namesOf(ops)).toEqual({
      blocked_issue: ['unblock', 'reassign', 'complete', 'cancel'],
      budget_spent: [],
    });
    expect(await namesOf(viewer)).toEqual({ blocked_issue: [], budget_spent: [] });

    const itemPath = `/api/companies/${companyId}/inbox/blocked_issue:${issueId}`;
    await ops.post(`${itemPath}/dismiss`).expect(200);
    expect(Object.keys(await namesOf(ops))).toEqual(['budget_spent']);
    expect(Object.keys(await namesOf(founding))).toContain('blocked_issue');
    await viewer.post(`${itemPath}/dismiss`).expect(403);
    const stranger = as(await operator());
    await stranger.get(`/api/companies/${companyId}/inbox`).expect(403);
    const key = await build.apiKey(agent.id);
    const refused = await harness.api
      .get(`/api/companies/${companyId}/inbox`)
      .set('Authorization', key);
    expect([refused.status, refused.body.code]).toEqual([403, 'board_only']);
  });

  it('lists open invites to an owner, and lists a dismissed invite again after it has expired', async () => {
    const { build, founding, context } = harness;
    const { id: companyId } = await build.company();
    const path = `/api/companies/${companyId}/invites`;
    const { body } = await founding.post(path).send({ role: 'viewer' }).expect(201);
    const itemPath = `/api/companies/${companyId}/inbox/invite:${body.id}`;
    await context.db.pool.query(
      `UPDATE invite SET created_at = now() - interval '7 days' WHERE id = $1`,
      [body.id],
    );
    await founding.post(`${itemPath}/dismiss`).expect(200);
    expect(await inboxOf(founding, companyId)).toEqual([]);
    await context.db.pool.query(
      `UPDATE invite SET expires_at = now() - interval '1 hour' WHERE id = $1`,
      [body.id],
    );
    const [item] = await inboxOf(founding, companyId);
    expect(item).toMatchObject({ kind: 'invite', actions: [{ name: 'revoke', method: 'DELETE' }] });
    await founding.delete(String(item?.actions[0]?.path)).expect(204);
    expect(await inboxOf(founding, companyId)).toEqual([]);
  });
});
