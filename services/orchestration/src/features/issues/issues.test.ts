import { newId } from '@switchyard/db';
import { ISSUE_PRIORITIES, type IssueSummaryView, type IssueView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('POST /api/companies/:companyId/issues', () => {
  const harness = useHarness();
  const create = (companyId: string, body: object) =>
    harness.api.post(`/api/companies/${companyId}/issues`).send(body);

  it('creates an issue with default values', async () => {
    const company = await harness.build.company();
    const { body } = await create(company.id, { title: 'First' }).expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      companyId: company.id,
      identifier: `${company.issuePrefix}-1`,
      issueNumber: 1,
      title: 'First',
      description: null,
      status: 'backlog',
      priority: 'medium',
      assigneeAgentId: null,
      assigneeUserId: null,
      parentId: null,
      projectId: null,
      goalId: null,
      billingCode: null,
      dueDate: null,
      labels: [],
      checkoutRunId: null,
      checkoutUserId: null,
      checkedOutAt: null,
      started_at: null,
      completed_at: null,
      cancelledAt: null,
      createdByAgentId: null,
      createdByUserId: 'local-board',
      originRoutineRunId: null,
      revision: 1,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
      woken: [],
    });
  });

  it('accepts every writable field from the board and from agents', async () => {
    const { build, db } = harness;
    const { agent, authorization, id: runId } = await build.liveRun();
    const { companyId } = agent;
    const parent = await build.issue({ companyId });
    const project = await db.project.create({ data: { id: newId(), companyId, name: 'P' } });
    const goal = await db.goal.create({ data: { id: newId(), companyId, title: 'G' } });
    const fields = {
      title: 'x',
      description: 'y\n'.repeat(1000),
      status: 'blocked',
      priority: 'critical',
      assigneeAgentId: agent.id,
      parentId: parent.id,
      projectId: project.id,
      goalId: goal.id,
      billingCode: '',
      dueDate: '2026-12-24',
      labels: ['area', 'Bug'],
    };
    const { body } = await create(companyId, fields)
      .set('Authorization', authorization)
      .expect(201);
    expect(body).toMatchObject({ ...fields, createdByAgentId: agent.id, createdByUserId: null });
    const activity = await db.activity.findFirstOrThrow({ where: { entityId: body.id } });
    expect(activity).toMatchObject({ action: 'issue.created', actorId: agent.id, runId });
    expect(JSON.stringify(activity.details)).not.toContain('y\\ny');
  });

  it.each(['done', 'cancelled'])(
    'sets the end time of an issue that is created with the status %s',
    async (status) => {
      const { id } = await harness.build.company();
      const { body } = await create(id, { title: 'x', status }).expect(201);
      const { completed_at, cancelledAt, started_at } = body;
      const time = expect.stringMatching(/Z$/);
      expect({ completed_at, cancelledAt, started_at }).toEqual(
        status === 'done'
          ? { completed_at: time, cancelledAt: null, started_at: time }
          : { completed_at: null, cancelledAt: time, started_at: null },
      );
    },
  );

  it('rejects the status in_progress with 422', async () => {
    const { id } = await harness.build.company();
    const before = await everything(harness);
    const { body } = await create(id, { title: 'x', status: 'in_progress' }).expect(422);
    expect(body).toMatchObject({
      code: 'invalid_transition',
      details: { from: null, to: 'in_progress' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it.each<[string, object, string]>([
    ['no title', { title: undefined }, 'title'],
    ['a blank title', { title: '\n' }, 'title'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, 'title'],
    ['NUL in the description', { description: '\0' }, 'description'],
    ['half a surrogate pair', { title: 'x\udfff' }, 'title'],
    ['an unknown status', { status: 'open' }, 'status'],
    ['null as status', { status: null }, 'status'],
    ['an unknown priority', { priority: 'urgent' }, 'priority'],
    ['a malformed assignee', { assigneeAgentId: 'me' }, 'assigneeAgentId'],
    ['an identifier as parent', { parentId: 'ACM-1' }, 'parentId'],
    ['a checkout run', { checkoutRunId: newId() }, 'checkoutRunId'],
    ['a time', { completed_at: '2026-01-01T00:00:00Z' }, 'completed_at'],
  ])('rejects %s with 400', async (_what, wrong, field) => {
    const { id } = await harness.build.company();
    const before = await everything(harness);
    const { body } = await create(id, { title: 'x', ...wrong }).expect(400);
    expect(body.details[0].path).toEqual([field]);
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects foreign and unknown ids, and the error names the field', async () => {
    const { build, db } = harness;
    const { id } = await build.company();
    const companyId = (await build.company()).id;
    const foreign = {
      assigneeAgentId: (await build.agent({ companyId })).id,
      parentId: (await build.issue({ companyId })).id,
      projectId: (await db.project.create({ data: { id: newId(), companyId, name: 'P' } })).id,
      goalId: (await db.goal.create({ data: { id: newId(), companyId, title: 'G' } })).id,
    };
    const before = await everything(harness);
    for (const [field, value] of Object.entries(foreign)) {
      const cross = await create(id, { title: 'x', [field]: value }).expect(403);
      expect(cross.body).toMatchObject({ code: 'cross_company', details: { field } });
      const unknown = await create(id, { title: 'x', [field]: newId() }).expect(422);
      expect(unknown.body).toMatchObject({ code: 'unknown_reference', details: { field } });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('numbers thirty concurrent issues without gaps or duplicates', async () => {
    const company = await harness.build.company();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => create(company.id, { title: `t${at}` })),
    );
    const numbers = answers.map((answer) => answer.body.issueNumber).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    for (const { body } of answers)
      expect(body.identifier).toBe(`${company.issuePrefix}-${body.issueNumber}`);
  });
});

describe('GET /api/companies/:companyId/issues', () => {
  const harness = useHarness();
  const list = async (companyId: string, query = '') =>
    (await harness.api.get(`/api/companies/${companyId}/issues${query}`).expect(200))
      .body as IssueSummaryView[];

  it('sorts by priority and then by age, oldest first, and omits large texts', async () => {
    const { id: companyId } = await harness.build.company();
    const made: IssueView[] = [];
    for (const priority of ['low', 'critical', 'medium', 'high', 'low', 'critical'] as const) {
      made.push(await harness.build.issue({ companyId, priority, description: 'large' }));
    }
    const expected = ISSUE_PRIORITIES.flatMap((priority) =>
      made.filter((issue) => issue.priority === priority),
    );
    const listed = await list(companyId);
    const row = ({ description, ...summary }: IssueView) => ({
      ...summary,
      blockedByCount: 0,
      childCount: 0,
      assigneeName: null,
      descriptionExcerpt: description,
      liveRun: null,
      lastActivityAt: summary.updatedAt,
    });
    expect(listed).toEqual(expected.map(row));
    await harness.api
      .patch(`/api/issues/${made[0]?.id}`)
      .send({ priority: 'critical' })
      .expect(200);
    expect((await list(companyId))[0]?.id).toBe(made[0]?.id);
  });

  it('filters by status, assignee and project, and by combinations of them', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const project = await db.project.create({ data: { id: newId(), companyId, name: 'P' } });
    const a = await build.issue({ companyId, status: 'todo', assigneeAgentId: agent.id });
    const b = await build.issue({ companyId, status: 'blocked', projectId: project.id });
    const c = await build.issue({
      companyId,
      status: 'todo',
      assigneeAgentId: agent.id,
      projectId: project.id,
    });
    await build.issue({ companyId });
    const ids = async (query: string) => (await list(companyId, query)).map((issue) => issue.id);
    expect(await ids('?status=todo')).toEqual([a.id, c.id]);
    expect(await ids('?status=todo,%20blocked')).toEqual([a.id, b.id, c.id]);
    expect(await ids(`?assigneeAgentId=${agent.id}`)).toEqual([a.id, c.id]);
    expect(await ids(`?projectId=${project.id}`)).toEqual([b.id, c.id]);
    expect(await ids(`?status=todo&projectId=${project.id}&assigneeAgentId=${agent.id}`)).toEqual([
      c.id,
    ]);
    expect(await ids(`?projectId=${newId()}`)).toEqual([]);
  });

  it.each([
    'status=',
    'status=open',
    'status=todo,,done',
    'assigneeAgentId=me',
    'projectId=',
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=1.5',
    'cursor=%00',
    'unknown=1',
    'status=todo&status=done',
  ])('rejects ?%s with 400', async (query) => {
    const { id } = await harness.build.company();
    const { body } = await harness.api.get(`/api/companies/${id}/issues?${query}`).expect(400);
    expect(body.details[0].path[0]).toBe(query.split('=')[0]);
  });

  it.each([
    ['of another list', ['2026-01-01T00:00:00.000Z', newId()]],
    ['with a time that PostgreSQL does not accept', [0, '1', newId()]],
    ['with a rank beyond 32 bits', [2 ** 40, '2026-01-01T00:00:00.000Z', newId()]],
    ['without an id', [0, '2026-01-01T00:00:00.000Z', 'x']],
  ])('rejects a cursor %s with 400', async (_what, cursor) => {
    const { id } = await harness.build.company();
    const text = Buffer.from(JSON.stringify(cursor)).toString('base64url');
    await harness.api.get(`/api/companies/${id}/issues?cursor=${text}`).expect(400);
  });

  it('returns every issue once and in order while issues are added', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    for (let at = 0; at < 23; at++) {
      await build.issue({ companyId, priority: ISSUE_PRIORITIES[at % 4] });
    }
    const there = await list(companyId, '?limit=500');
    let added = 0;
    const path = `/api/companies/${companyId}/issues`;
    const seen = await walkPages<IssueSummaryView>(harness, path, 4, async () => {
      if (added < 12) await build.issue({ companyId, priority: ISSUE_PRIORITIES[added++ % 4] });
    });
    const ids = seen.map((issue) => issue.id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(there.map((issue) => issue.id));
    expect(ids.filter((id) => known.has(id))).toEqual(there.map((issue) => issue.id));
  });

  it('returns every issue once across pages, even if issues were created in the same millisecond', async () => {
    const { id: companyId } = await harness.build.company();
    for (let at = 0; at < 9; at++) await harness.build.issue({ companyId });
    await harness.context.db.pool.query(
      'UPDATE issue SET created_at = now() WHERE company_id = $1',
      [companyId],
    );
    const seen = await walkPages<IssueSummaryView>(
      harness,
      `/api/companies/${companyId}/issues`,
      2,
    );
    expect(new Set(seen.map((issue) => issue.id)).size).toBe(9);
    expect(seen).toHaveLength(9);
  });
});

describe('the identifier of an issue in a path', () => {
  const harness = useHarness();

  it('works like the id, in upper and lower case, on every route for issues', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const issue = await build.issue({ companyId: agent.companyId, status: 'todo' });
    for (const name of [issue.identifier, issue.identifier.toLowerCase()]) {
      expect((await api.get(`/api/issues/${name}`).expect(200)).body.id).toBe(issue.id);
      await api.patch(`/api/issues/${name}`).send({ title: name }).expect(200);
      await api.post(`/api/issues/${name}/comments`).send({ body: 'x' }).expect(201);
      expect((await api.get(`/api/issues/${name}/comments`).expect(200)).body[0].issueId).toBe(
        issue.id,
      );
      const body = { agentId: agent.id, expectedStatuses: ['todo'] };
      await api.post(`/api/issues/${name}/checkout`).send(body).expect(200);
      expect((await api.post(`/api/issues/${name}/release`).expect(200)).body.id).toBe(issue.id);
    }
  });

  it('causes 404 if it is unknown or belongs to another company', async () => {
    const { api, build } = harness;
    const issue = await build.issue();
    const { authorization } = await build.liveRun();
    for (const name of [
      `${issue.identifier}9`,
      'ZZZ-1',
      'ZZZ-',
      '-1',
      'A-1-1',
      'ZZZ-99999999999',
    ]) {
      await api.get(`/api/issues/${name}`).expect(404);
    }
    const foreign = api.get(`/api/issues/${issue.identifier}`).set('Authorization', authorization);
    expect((await foreign.expect(404)).body.code).toBe('not_found');
  });
});
