import { GOAL_LEVELS, type GoalView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('the hierarchy of goals', () => {
  const harness = useHarness();

  const patch = (goal: GoalView, body: object) =>
    harness.api.patch(`/api/goals/${goal.id}`).send(body);
  const reread = async (goal: GoalView) =>
    (await harness.api.get(`/api/goals/${goal.id}`).expect(200)).body as GoalView;

  const pairs = GOAL_LEVELS.flatMap((parent, high) =>
    GOAL_LEVELS.map((child, low) => [parent, child, high <= low] as const),
  );

  it.each(pairs)(
    'given a parent of level %s and a child of level %s, allows create and update: %s',
    async (parent, child, fits) => {
      const { api, build } = harness;
      const { id: companyId } = await build.company();
      const above = await build.goal({ companyId, level: parent });
      const loose = await build.goal({ companyId, level: child });
      const low = await build.goal({ companyId, level: 'task', parentId: above.id });
      const top = await build.goal({ companyId, level: 'company' });
      const below = await build.goal({ companyId, level: child, parentId: top.id });

      const before = await everything(harness);
      const answers = [
        await api
          .post(`/api/companies/${companyId}/goals`)
          .send({ title: 'x', level: child, parentId: above.id }),
        await patch(loose, { parentId: above.id }),
        await patch(low, { level: child }),
        await patch(top, { level: parent }),
      ];
      if (fits) {
        expect(answers.map((answer) => answer.status)).toEqual([201, 200, 200, 200]);
        return;
      }
      for (const [at, { status, body }] of answers.entries()) {
        expect({ at, status, code: body.code }).toEqual({
          at,
          status: 422,
          code: 'semantic_error',
        });
      }
      const [created, moved, lowered, raised] = answers;
      const details = { field: 'parentId', parentLevel: parent, level: child };
      for (const answer of [created, moved, lowered]) expect(answer?.body.details).toEqual(details);
      expect(raised?.body.details).toEqual({
        field: 'level',
        childId: below.id,
        childLevel: child,
        level: parent,
      });
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('uses the new level to validate a new parent if both change', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const team = await build.goal({ companyId, level: 'team' });
    const goal = await build.goal({ companyId, level: 'company' });
    await patch(goal, { parentId: team.id }).expect(422);
    await patch(goal, { parentId: team.id, level: 'agent' }).expect(200);
    await patch(goal, { parentId: null, level: 'company' }).expect(200);
  });

  it('cannot contain a cycle of one, two or many goals', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const chain = [await build.goal({ companyId })];
    for (let at = 1; at < 6; at++) {
      chain.push(await build.goal({ companyId, parentId: chain.at(-1)?.id }));
    }
    const [first] = chain as [GoalView];
    const before = await everything(harness);
    for (const goal of chain) {
      const { body } = await patch(first, { parentId: goal.id }).expect(422);
      expect(body).toMatchObject({ code: 'cycle', details: { field: 'parentId' } });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('allows all but one of several concurrent moves that would together form a cycle', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    for (let round = 0; round < 15; round++) {
      const [a, b, c] = await Promise.all([
        build.goal({ companyId }),
        build.goal({ companyId }),
        build.goal({ companyId }),
      ]);
      const answers = await Promise.all([
        patch(a, { parentId: b.id }),
        patch(b, { parentId: c.id }),
        patch(c, { parentId: a.id }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 422]);
    }
  });

  it('stays valid if the level of a goal is lowered while the goal receives a child', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    for (let round = 0; round < 15; round++) {
      const parent = await build.goal({ companyId, level: 'company' });
      const loose = await build.goal({ companyId, level: 'company' });
      const [lowered, ...added] = await Promise.all([
        patch(parent, { level: 'task' }),
        patch(loose, { parentId: parent.id }),
        api
          .post(`/api/companies/${companyId}/goals`)
          .send({ title: 'x', level: 'team', parentId: parent.id }),
      ]);
      const statuses = added.map((answer) => answer.status);
      expect(statuses).toEqual(lowered.status === 200 ? [422, 422] : [200, 201]);
      expect((await reread(parent)).level).toBe(lowered.status === 200 ? 'task' : 'company');
    }
  });

  it('allows a move to the end of a chain of a thousand goals', async () => {
    const { build, context } = harness;
    const goal = await build.goal();
    await context.db.pool.query(
      `WITH chain AS (SELECT at, gen_random_uuid() AS id FROM generate_series(1, 1000) at)
       INSERT INTO goal (id, company_id, title, parent_id)
       SELECT id, $1, 'goal ' || at, lag(id) OVER (ORDER BY at) FROM chain`,
      [goal.companyId],
    );
    const last = await harness.db.goal.findFirstOrThrow({
      where: { companyId: goal.companyId, title: 'goal 1000' },
    });
    await patch(goal, { parentId: last.id }).expect(200);
    const top = { companyId: goal.companyId, title: 'goal 1' };
    const { id } = await harness.db.goal.findFirstOrThrow({ where: top });
    await harness.api.patch(`/api/goals/${id}`).send({ parentId: goal.id }).expect(422);
  });
});
