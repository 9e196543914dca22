import type { GoalView, ListedGoalView } from '@switchyard/types';
import { GOAL_STATUSES } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';
import { presentIssueCounts } from '../../lists/row-facts';

describe('goal routes', () => {
  const harness = useHarness();

  const activitiesOf = (entityId: string) =>
    harness.db.activity.findMany({ where: { entityId }, orderBy: { sequence: 'asc' } });

  it('set default values, and return the same goal when it is read', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const { body } = await api
      .post(`/api/companies/${companyId}/goals`)
      .send({ title: 'Grow' })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      companyId,
      title: 'Grow',
      description: null,
      level: 'task',
      status: 'planned',
      parentId: null,
      ownerAgentId: null,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
    expect((await api.get(`/api/goals/${body.id}`).expect(200)).body).toEqual(body);
  });

  it('accept every writable field on create and on update', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const top = await build.goal({ companyId, level: 'company' });
    const fields = {
      title: 'Sell',
      description: 'More than last year',
      level: 'team',
      status: 'active',
      parentId: top.id,
      ownerAgentId: agent.id,
    };
    const created = await api.post(`/api/companies/${companyId}/goals`).send(fields).expect(201);
    expect(created.body).toMatchObject(fields);
    const plain = await build.goal({ companyId });
    const updated = await api.patch(`/api/goals/${plain.id}`).send(fields).expect(200);
    expect(updated.body).toEqual({ ...plain, ...fields, updatedAt: expect.any(String) });
    expect(updated.body.updatedAt > plain.updatedAt).toBe(true);
  });

  it('leave absent fields unchanged and clear null fields in an update', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const parent = await build.goal({ companyId: agent.companyId });
    const goal = await build.goal({
      companyId: agent.companyId,
      description: 'text',
      parentId: parent.id,
      ownerAgentId: agent.id,
    });
    const patch = (body: object) => api.patch(`/api/goals/${goal.id}`).send(body).expect(200);
    for (const field of ['description', 'parentId', 'ownerAgentId'] as const) {
      const { body } = await patch({ [field]: null });
      expect(body[field]).toBeNull();
    }
    for (const field of ['title', 'level', 'status']) {
      const { body } = await api
        .patch(`/api/goals/${goal.id}`)
        .send({ [field]: null })
        .expect(400);
      expect(body.details[0].path).toEqual([field]);
    }
  });

  it('allow every status to change to every other status', async () => {
    const { api, build } = harness;
    for (const from of GOAL_STATUSES) {
      for (const to of GOAL_STATUSES) {
        const goal = await build.goal({ status: from });
        const { body } = await api.patch(`/api/goals/${goal.id}`).send({ status: to }).expect(200);
        expect(body.status).toBe(to);
      }
    }
  });

  it('record each change, and record nothing if all values are equal', async () => {
    const { api, build } = harness;
    const { agent, authorization, id: runId } = await build.liveRun();
    const goal = await build.goal({ companyId: agent.companyId, description: 'text' });
    const patch = (body: object) =>
      api.patch(`/api/goals/${goal.id}`).set('Authorization', authorization).send(body).expect(200);
    const before = await everything(harness);
    const { id, companyId, createdAt, updatedAt, ...same } = goal;
    expect((await patch(same)).body).toEqual(goal);
    expect((await patch({})).body).toEqual(goal);
    expect(await everything(harness)).toEqual(before);

    await patch({ title: goal.title, status: 'achieved', description: 'secret plans' });
    const [created, updated, ...more] = await activitiesOf(goal.id);
    expect(more).toEqual([]);
    expect(created).toMatchObject({
      action: 'goal.created',
      entityType: 'goal',
      actorType: 'user',
      details: { title: goal.title, level: 'task', status: 'planned' },
    });
    expect(updated).toMatchObject({ action: 'goal.updated', actorId: agent.id, runId });
    expect(updated?.details).toEqual({
      changed: ['description', 'status'],
      from: 'planned',
      to: 'achieved',
    });
  });

  it.each([
    ['no title', {}, 'title'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a long title', { title: 'x'.repeat(501) }, 'title'],
    ['a NUL', { title: 'a\0b' }, 'title'],
    ['half a surrogate pair', { title: 'x', description: '\ud800' }, 'description'],
    ['a number as description', { title: 'x', description: 1 }, 'description'],
    ['an unknown level', { title: 'x', level: 'department' }, 'level'],
    ['an unknown status', { title: 'x', status: 'done' }, 'status'],
    ['a parent that is not an id', { title: 'x', parentId: 'x' }, 'parentId'],
    ['an unknown key', { title: 'x', owner: 'x' }, 'owner'],
    ['a key that is not writable', { title: 'x', companyId: 'x' }, 'companyId'],
  ])('reject %s with 400, name the field, and change nothing', async (_, body, field) => {
    const { api, build } = harness;
    const goal = await build.goal();
    const before = await everything(harness);
    const created = await api.post(`/api/companies/${goal.companyId}/goals`).send(body).expect(400);
    expect(created.body.code).toBe('validation_error');
    expect(created.body.details[0].path).toEqual([field]);
    if (Object.keys(body).length > 0) {
      const updated = await api.patch(`/api/goals/${goal.id}`).send(body).expect(400);
      expect(updated.body.details[0].path).toEqual([field]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('list the goals of one company newest first, without large texts', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    await build.goal();
    const made: GoalView[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift(await build.goal({ companyId, description: 'long' }));
    }
    const path = `/api/companies/${companyId}/goals`;
    const between = () => build.goal({ companyId });
    const seen = await walkPages<ListedGoalView>(harness, path, 2, between);
    const facts = { ownerName: null, childCount: 0, issueCounts: presentIssueCounts(null) };
    expect(seen).toEqual(
      made.map(({ description, ...goal }) => ({
        ...goal,
        ...facts,
        descriptionExcerpt: description,
      })),
    );
    for (const query of ['limit=0', 'limit=501', 'cursor=x', 'status=active', 'level=team']) {
      await api.get(`${path}?${query}`).expect(400);
    }
  });
});
