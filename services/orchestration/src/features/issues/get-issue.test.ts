import { newId } from '@switchyard/db';
import {
  ISSUE_STATUSES,
  type IssueDetailView,
  type IssueView,
  issueDetail,
} from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { MAX_ANCESTORS } from './get-issue';

describe('GET /api/issues/:issueId', () => {
  const harness = useHarness();

  const get = async (id: string): Promise<IssueDetailView> =>
    (await harness.api.get(`/api/issues/${id}`).expect(200)).body;

  async function links(companyId: string, name: string) {
    const { db } = harness;
    const goal = await db.goal.create({
      data: { id: newId(), companyId, title: `Goal ${name}`, description: 'why', level: 'team' },
    });
    const project = await db.project.create({
      data: {
        id: newId(),
        companyId,
        name: `Project ${name}`,
        description: 'what',
        targetDate: new Date('2026-12-24'),
        goals: { create: { goalId: goal.id } },
      },
    });
    return { goalId: goal.id, projectId: project.id };
  }

  const childrenOf = (some: Partial<Record<string, number>>) => {
    const byStatus = Object.fromEntries(ISSUE_STATUSES.map((one) => [one, some[one] ?? 0]));
    return { total: Object.values(byStatus).reduce((sum, n) => sum + n, 0), byStatus };
  };

  const putPlan = async (id: string, key: string, body: string) =>
    (await harness.api.put(`/api/issues/${id}/documents/${key}`).send({ body }).expect(201)).body;

  it('returns nulls and empty lists for an issue without links', async () => {
    const issue = await harness.build.issue({ description: 'no plan' });
    expect(await get(issue.id)).toEqual({
      ...issue,
      project: null,
      goal: null,
      ancestors: [],
      blockedBy: [],
      callback: null,
      children: childrenOf({}),
      planDocument: null,
      documentSummaries: [],
      legacyPlanDocument: null,
    });
  });

  it('returns project, goal, documents and ancestors, the nearest ancestor first', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const topLinks = await links(companyId, 'top');
    const ownLinks = await links(companyId, 'own');
    const top = await build.issue({ companyId, description: 'large', ...topLinks });
    const middle = await build.issue({ companyId, parentId: top.id, goalId: topLinks.goalId });
    const issue = await build.issue({ companyId, parentId: middle.id, ...ownLinks });
    for (const status of ['todo', 'done', 'todo'] as const) {
      await build.issue({ companyId, parentId: issue.id, status });
    }
    await build.issue({ companyId, parentId: middle.id });
    const plan = await putPlan(issue.id, 'plan', '# Plan');
    const notes = await putPlan(issue.id, 'notes', 'large text of the notes');
    await putPlan(top.id, 'plan', 'of another issue');

    const detail = await get(issue.id);
    expect(issueDetail.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject(issue);
    expect(detail.children).toEqual(childrenOf({ todo: 2, done: 1 }));
    const iso = expect.stringMatching(/\.\d{3}Z$/);
    expect(detail.goal).toEqual({
      id: ownLinks.goalId,
      companyId,
      title: 'Goal own',
      description: 'why',
      level: 'team',
      status: 'planned',
      parentId: null,
      ownerAgentId: null,
      createdAt: iso,
      updatedAt: iso,
    });
    expect(detail.project).toMatchObject({
      id: ownLinks.projectId,
      name: 'Project own',
      description: 'what',
      goalIds: [ownLinks.goalId],
      status: 'planned',
      leadAgentId: null,
      targetDate: '2026-12-24',
    });
    expect(detail.ancestors.map((ancestor) => ancestor.id)).toEqual([middle.id, top.id]);
    expect(detail.ancestors[0]).toMatchObject({ project: null, goal: { title: 'Goal top' } });
    expect(detail.ancestors[1]).toMatchObject({
      identifier: top.identifier,
      project: { id: topLinks.projectId, name: 'Project top' },
      goal: { id: topLinks.goalId },
    });
    expect(detail.ancestors[1]).not.toHaveProperty('description');
    expect(detail.planDocument).toEqual(plan);
    expect(detail.planDocument?.body).toBe('# Plan');
    expect(detail.documentSummaries.map((document) => document.key).sort()).toEqual([
      'notes',
      'plan',
    ]);
    expect(JSON.stringify(detail.documentSummaries)).not.toContain(notes.body);
  });

  it('returns the plan block of the description if the issue has no plan document', async () => {
    const issue = await harness.build.issue({ description: 'x <plan>\n- first\n</plan> y' });
    expect((await get(issue.id)).legacyPlanDocument).toEqual({
      key: 'plan',
      format: 'markdown',
      body: '- first',
      source: 'issue_description',
    });
    await putPlan(issue.id, 'notes', 'x');
    expect((await get(issue.id)).legacyPlanDocument).not.toBeNull();
    await putPlan(issue.id, 'plan', 'second');
    const detail = await get(issue.id);
    expect(detail.legacyPlanDocument).toBeNull();
    expect(detail.planDocument?.body).toBe('second');
    expect(detail.description).toContain('<plan>');
  });

  it('executes as many SQL statements for sixty ancestors as for one', async () => {
    const { build, context } = harness;
    const { id: companyId } = await build.company();
    const queriesOf = async (id: string) => {
      let queries = 0;
      const count = () => queries++;
      context.db.pool.on('acquire', count);
      const detail = await get(id);
      context.db.pool.off('acquire', count);
      return { queries, detail };
    };
    const make = async (parent: IssueView | undefined) =>
      build.issue({
        companyId,
        ...(parent && { parentId: parent.id }),
        ...(await links(companyId, 'any')),
      });
    const top = await make(undefined);
    const child = await make(top);
    await putPlan(child.id, 'plan', 'x');
    const few = await queriesOf(child.id);
    expect(few.detail.ancestors).toHaveLength(1);

    let deep = child;
    for (let at = 0; at < 60; at++) deep = await make(deep);
    await putPlan(deep.id, 'plan', 'x');
    for (let at = 0; at < 10; at++) await putPlan(deep.id, `notes-${at}`, 'x');
    const many = await queriesOf(deep.id);
    expect(many.detail.ancestors).toHaveLength(61);
    expect(many.detail.documentSummaries).toHaveLength(11);
    expect(many.queries).toBe(few.queries);
    expect(many.queries).toBeLessThanOrEqual(12);
  });

  it('contains the text of a goal only once, however many ancestors share the goal', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const goal = await db.goal.create({
      data: { id: newId(), companyId, title: 'G', description: 'd'.repeat(200_000) },
    });
    let issue = await build.issue({ companyId, goalId: goal.id });
    for (let at = 0; at < 20; at++) {
      issue = await build.issue({ companyId, goalId: goal.id, parentId: issue.id });
    }
    expect(JSON.stringify(await get(issue.id)).length).toBeLessThan(300_000);
  });

  it('returns only the nearest ancestors of a deep chain', async () => {
    const { companyId } = await harness.build.issue();
    const chain: string[] = [];
    const rows = Array.from({ length: MAX_ANCESTORS + 20 }, (_, at) => {
      const id = newId();
      const parentId = chain.at(-1) ?? null;
      chain.push(id);
      const number = { issueNumber: 10_000 + at, identifier: `DEEP-${10_000 + at}` };
      return { ...number, id, companyId, parentId, title: `Level ${at}` };
    });
    await harness.db.issue.createMany({ data: rows });
    const { body } = await harness.api.get(`/api/issues/${chain.at(-1)}`).expect(200);
    const found = body.ancestors.map(({ id }: { id: string }) => id);
    expect(found).toEqual(chain.slice(0, -1).reverse().slice(0, MAX_ANCESTORS));
  });

  it('returns the current links after links were added or removed', async () => {
    const { api, build } = harness;
    const issue = await build.issue();
    const { companyId } = issue;
    const links: [keyof IssueDetailView, () => Promise<() => Promise<unknown>>][] = [
      [
        'labels',
        async () => {
          const patch = (labels: string[]) => api.patch(`/api/issues/${issue.id}`).send({ labels });
          await patch(['seen']).expect(200);
          return () => patch([]).expect(200);
        },
      ],
      [
        'documentSummaries',
        async () => {
          const path = `/api/issues/${issue.id}/documents/notes`;
          await api.put(path).send({ body: 'x' }).expect(201);
          return () => api.delete(path).expect(204);
        },
      ],
      [
        'blockedBy',
        async () => {
          const { id } = await build.issue({ companyId });
          const patch = (blockedBy: string[]) =>
            api.patch(`/api/issues/${issue.id}`).send({ blockedBy });
          await patch([id]).expect(200);
          return () => patch([]).expect(200);
        },
      ],
      [
        'ancestors',
        async () => {
          const { id } = await build.issue({ companyId });
          const patch = (parentId: string | null) =>
            api.patch(`/api/issues/${issue.id}`).send({ parentId });
          await patch(id).expect(200);
          return () => patch(null).expect(200);
        },
      ],
      [
        'children',
        async () => {
          const child = await build.issue({ companyId, parentId: issue.id });
          return () => api.patch(`/api/issues/${child.id}`).send({ parentId: null }).expect(200);
        },
      ],
    ];
    for (const [part, link] of links) {
      const before = (await get(issue.id))[part];
      const unlink = await link();
      const linked = (await get(issue.id))[part];
      expect([part, linked]).not.toEqual([part, before]);
      expect([part, (await get(issue.id))[part]]).toEqual([part, linked]);
      await unlink();
      expect([part, (await get(issue.id))[part]]).toEqual([part, before]);
      expect([part, (await get(issue.id))[part]]).toEqual([part, before]);
    }
  });
});
