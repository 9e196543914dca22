import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('PATCH /api/issues/:issueId', () => {
  const harness = useHarness();
  const patch = (id: string, body: object) => harness.api.patch(`/api/issues/${id}`).send(body);

  it('leaves absent fields unchanged, clears null fields and sets others', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const parent = await build.issue({ companyId });
    const project = await db.project.create({ data: { id: newId(), companyId, name: 'P' } });
    const goal = await db.goal.create({ data: { id: newId(), companyId, title: 'G' } });
    const fields = {
      description: 'text',
      assigneeAgentId: agent.id,
      parentId: parent.id,
      projectId: project.id,
      goalId: goal.id,
      billingCode: 'B1',
    };
    const issue = await build.issue({ companyId });
    const { body: set } = await patch(issue.id, fields).expect(200);
    expect(set).toMatchObject(fields);
    const left: Record<string, unknown> = { ...fields };
    for (const field of Object.keys(fields)) {
      left[field] = null;
      const { body } = await patch(issue.id, { [field]: null }).expect(200);
      expect(body).toMatchObject({ ...left, title: issue.title, status: 'backlog' });
    }
    const { body } = await patch(issue.id, {
      description: '',
      billingCode: '',
      priority: 'high',
      title: 'T',
    }).expect(200);
    expect(body).toMatchObject({ description: '', billingCode: '', priority: 'high', title: 'T' });
  });

  it('records a change, but records nothing if all values are equal', async () => {
    const { build, db } = harness;
    const issue = await build.issue({ priority: 'low' });
    await patch(issue.id, { title: 'new', priority: 'high', status: 'todo' }).expect(200);
    const activity = await db.activity.findFirstOrThrow({
      where: { entityId: issue.id, action: 'issue.updated' },
    });
    expect(activity.details).toEqual({
      changed: ['title', 'priority', 'status'],
      from: 'backlog',
      to: 'todo',
    });
    const before = await everything(harness);
    const { body } = await harness.api.get(`/api/issues/${issue.id}`);
    const {
      title,
      description,
      status,
      priority,
      assigneeAgentId,
      parentId,
      projectId,
      goalId,
      billingCode,
    } = body;
    await patch(issue.id, {}).expect(200);
    await patch(issue.id, {
      title,
      description,
      status,
      priority,
      assigneeAgentId,
      parentId,
      projectId,
      goalId,
      billingCode,
    }).expect(200);
    expect(await everything(harness)).toEqual(before);
  });

  it('applies and records each of many concurrent changes', async () => {
    const issue = await harness.build.issue();
    const turns = Array.from({ length: 12 }, (_, turn) => turn);
    const changes = turns.flatMap((turn) => [
      patch(issue.id, { title: `title ${turn}` }).expect(200),
      patch(issue.id, { description: `text ${turn}` }).expect(200),
      patch(issue.id, { status: turn % 2 ? 'backlog' : 'todo' }).expect(200),
    ]);
    await Promise.all(changes);
    const { body } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
    expect(body.title).toMatch(/^title \d+$/);
    expect(body.description).toMatch(/^text \d+$/);
    const records = await harness.db.activity.findMany({
      where: { entityId: issue.id, action: 'issue.updated' },
      orderBy: { sequence: 'asc' },
    });
    const details = records.map((record) => record.details as Record<string, unknown>);
    const of = (field: string) => details.filter((each) => String(each.changed) === field);
    expect(of('title')).toHaveLength(turns.length);
    expect(of('description')).toHaveLength(turns.length);
    const moves = of('status').map(({ from, to }) => `${from} ${to}`);
    expect(moves.length + 2 * turns.length).toBe(details.length);
    moves.forEach((move, at) => {
      expect(move).toBe(at % 2 ? 'todo backlog' : 'backlog todo');
    });
  });

  it('adds a comment in the same transaction', async () => {
    const { build } = harness;
    const { agent, id: runId, authorization } = await build.liveRun();
    const issue = await build.issue({ companyId: agent.companyId });
    const { body } = await patch(issue.id, { status: 'todo', comment: 'going' })
      .set('Authorization', authorization)
      .expect(200);
    expect(body).toMatchObject({
      status: 'todo',
      comment: { issueId: issue.id, body: 'going', authorAgentId: agent.id, createdByRunId: runId },
    });
    const only = await patch(issue.id, { comment: 'alone' }).expect(200);
    expect(only.body.updatedAt).toBe(body.updatedAt);
    const before = await everything(harness);
    await patch(issue.id, { status: 'done', comment: 'too early' }).expect(422);
    await patch(issue.id, { parentId: newId(), comment: 'nowhere' }).expect(422);
    await patch(issue.id, { title: 'x', comment: ' ' }).expect(400);
    expect(await everything(harness)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['title', null],
    ['title', ''],
    ['title', 5],
    ['status', null],
    ['status', 'open'],
    ['priority', null],
    ['priority', 'none'],
    ['assigneeAgentId', 'x'],
    ['billingCode', 'x'.repeat(201)],
    ['description', 'x'.repeat(200_001)],
    ['comment', null],
    ['identifier', 'X-1'],
    ['started_at', null],
    ['checkoutRunId', null],
  ])('returns 400 if %s has the value %p', async (field, value) => {
    const issue = await harness.build.issue();
    const before = await everything(harness);
    const { body } = await patch(issue.id, { billingCode: 'no', [field]: value }).expect(400);
    expect(body.details[0].path).toEqual([field]);
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects foreign and unknown ids', async () => {
    const { build, db } = harness;
    const issue = await build.issue();
    const companyId = (await build.company()).id;
    const foreign = {
      assigneeAgentId: (await build.agent({ companyId })).id,
      parentId: (await build.issue({ companyId })).id,
      projectId: (await db.project.create({ data: { id: newId(), companyId, name: 'P' } })).id,
      goalId: (await db.goal.create({ data: { id: newId(), companyId, title: 'G' } })).id,
    };
    const before = await everything(harness);
    for (const [field, value] of Object.entries(foreign)) {
      const cross = await patch(issue.id, { [field]: value }).expect(403);
      expect(cross.body).toMatchObject({ code: 'cross_company', details: { field } });
      const unknown = await patch(issue.id, { [field]: newId() }).expect(422);
      expect(unknown.body).toMatchObject({ code: 'unknown_reference', details: { field } });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects the issue itself and its descendants as parent', async () => {
    const { build } = harness;
    const top = await build.issue();
    const { companyId } = top;
    const middle = await build.issue({ companyId, parentId: top.id });
    const low = await build.issue({ companyId, parentId: middle.id });
    for (const parentId of [top.id, middle.id, low.id]) {
      const { body } = await patch(top.id, { parentId }).expect(422);
      expect(body).toMatchObject({ code: 'cycle', details: { field: 'parentId' } });
    }
    await patch(low.id, { parentId: top.id }).expect(200);
  });

  it('forms no cycle when two or three issues are moved concurrently', async () => {
    const { id: companyId } = await harness.build.company();
    for (let round = 0; round < 30; round++) {
      const size = 2 + (round % 2);
      const issues = await Promise.all(
        Array.from({ length: size }, () => harness.build.issue({ companyId })),
      );
      const answers = await Promise.all(
        issues.map((issue, at) => patch(issue.id, { parentId: issues[(at + 1) % size]?.id })),
      );
      const refused = answers.filter((answer) => answer.status !== 200);
      expect(refused.map((answer) => [answer.status, answer.body.code])).toEqual([[422, 'cycle']]);
    }
  });

  it('applies one of two conflicting status changes, and rejects the other with 422', async () => {
    for (let round = 0; round < 10; round++) {
      const issue = await harness.build.issue({ status: 'in_review' });
      const answers = await Promise.all([
        patch(issue.id, { status: 'done' }),
        patch(issue.id, { status: 'cancelled' }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
      const won = answers.find((answer) => answer.status === 200);
      const { body } = await harness.api.get(`/api/issues/${issue.id}`);
      expect(body.status).toBe(won?.body.status);
    }
  });
});
