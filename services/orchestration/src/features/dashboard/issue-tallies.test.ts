import { newId } from '@switchyard/db';
import type { IssueCounts } from '@switchyard/types';
import fc from 'fast-check';
import { useHarness } from '../../../test/harness';
import { foldStatusChanges } from './fold-status-changes';

const STATUSES = ['backlog', 'todo', 'in_review', 'done', 'cancelled'];

const COUNTS = `
  SELECT owner_id, status, count(*)::int AS n
  FROM issue CROSS JOIN LATERAL unnest(ARRAY[project_id, goal_id, assignee_agent_id]) AS owner_id
  WHERE company_id = $1 AND owner_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`;

const TALLIES = `
  SELECT owner_id, status, sum(n)::int AS n
  FROM (SELECT company_id, owner_id, status, n FROM issue_tally
    UNION ALL SELECT company_id, owner_id, status, n FROM issue_tally_change) part
  WHERE company_id = $1 GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2`;

type Owners = [project: number, goal: number, agent: number];
type Step =
  | { do: 'fold' }
  | { do: 'insert'; status: string; owners: Owners }
  | { do: 'set'; status: string; owners: Owners; at: number }
  | { do: 'delete'; at: number };

const owners = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2));
const status = fc.constantFrom(...STATUSES);
const at = fc.nat(99);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('fold' as const) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('insert' as const), status, owners }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), status, owners, at }) },
    fc.record({ do: fc.constant('delete' as const), at }),
  ),
  { minLength: 5, maxLength: 40 },
);

describe('the issue totals of projects, goals and assignees', () => {
  const harness = useHarness();
  const query = async (sql: string, values: unknown[] = []) =>
    (await harness.context.db.pool.query(sql, values)).rows;
  const fold = () => foldStatusChanges(harness.context);
  let number = 0;

  const makeOwners = async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const both = async (make: () => Promise<{ id: string }>) => [
      (await make()).id,
      (await make()).id,
    ];
    const projects = await both(() => build.project({ companyId }));
    const goals = await both(() => build.goal({ companyId }));
    const agents = await both(() => build.agent({ companyId }));
    return { companyId, kinds: [projects, goals, agents] };
  };
  type Made = Awaited<ReturnType<typeof makeOwners>>;

  const take = async ({ companyId, kinds }: Made, step: Step) => {
    if (step.do === 'fold') return fold();
    const ids = (chosen: Owners) => chosen.map((index, kind) => kinds[kind]?.[index] ?? null);
    if (step.do === 'insert') {
      number++;
      return query(
        `INSERT INTO issue (id, company_id, issue_number, identifier, title, status, project_id, goal_id, assignee_agent_id)
         VALUES ($1, $2, $3, $4, 'x', $5, $6, $7, $8)`,
        [newId(), companyId, number, `OWNED-${number}`, step.status, ...ids(step.owners)],
      );
    }
    const rows = await query('SELECT id FROM issue WHERE company_id = $1 ORDER BY id', [companyId]);
    const id = rows[step.at % Math.max(1, rows.length)]?.id;
    if (step.do === 'delete') return query('DELETE FROM issue WHERE id = $1', [id]);
    return query(
      'UPDATE issue SET status = $2, project_id = $3, goal_id = $4, assignee_agent_id = $5 WHERE id = $1',
      [id, step.status, ...ids(step.owners)],
    );
  };

  it('equal the actual counts after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const made = await makeOwners();
        for (const step of history) await take(made, step);
        const counts = await query(COUNTS, [made.companyId]);
        expect(await query(TALLIES, [made.companyId])).toEqual(counts);
        await fold();
        expect(await query(TALLIES, [made.companyId])).toEqual(counts);
      }),
      { numRuns: 20, seed: 20_261_122 },
    );
    expect(await query('SELECT 1 FROM issue_tally_change')).toEqual([]);
  });

  it('include the issues of a goal’s subgoals and linked projects, and count each issue once', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const top = await build.goal({ companyId, level: 'company' });
    const team = await build.goal({ companyId, level: 'team', parentId: top.id });
    const other = await build.goal({ companyId, level: 'team' });
    const linked = await build.project({ companyId, goalIds: [team.id, top.id] });
    const far = await build.project({ companyId, goalIds: [other.id] });
    const loose = await build.project({ companyId });
    const places: [goalId: string | null, projectId: string | null, status: 'todo' | 'done'][] = [
      [top.id, null, 'todo'],
      [team.id, linked.id, 'done'],
      [null, linked.id, 'todo'],
      [team.id, far.id, 'done'],
      [other.id, linked.id, 'todo'],
      [null, loose.id, 'todo'],
    ];
    for (const [goalId, projectId, status] of places) {
      await build.issue({ companyId, goalId, projectId, status });
    }
    const expected = new Map([
      [top.id, { todo: 3, done: 2 }],
      [team.id, { todo: 2, done: 2 }],
      [other.id, { todo: 1, done: 1 }],
    ]);
    for (let folds = 0; folds < 2; folds++) {
      const { body } = await api.get(`/api/companies/${companyId}/goals`).expect(200);
      expect(body).toHaveLength(expected.size);
      for (const { id, issueCounts } of body) {
        const { todo = 0, done = 0 } = expected.get(id) ?? {};
        const sums = { total: todo + done, open: todo, byStatus: { todo, done } };
        expect(issueCounts).toMatchObject(sums);
        const of = `servesGoalId=${id}`;
        const counted = await api.get(`/api/companies/${companyId}/issues/counts?${of}`);
        expect(counted.body).toEqual(issueCounts);
        const listed = await api.get(`/api/companies/${companyId}/issues?${of}`);
        expect(listed.body).toHaveLength(issueCounts.total);
      }
      await fold();
    }
    const foreign = await build.goal();
    const none = `/api/companies/${companyId}/issues?servesGoalId=${foreign.id}`;
    expect((await api.get(none).expect(200)).body).toEqual([]);
  });

  it('equal the issue counts in the lists, before and after workers add pending changes to the totals', async () => {
    const { api, build } = harness;
    const { id: assigneeAgentId, companyId } = await build.agent();
    const { id: projectId } = await build.project({ companyId });
    const { id: goalId } = await build.goal({ companyId });
    const of = { companyId, assigneeAgentId, projectId, goalId };
    await build.issue({ ...of, status: 'todo' });
    await build.issue({ ...of, status: 'done' });
    const moved = await build.issue({ ...of, status: 'todo' });
    await api.patch(`/api/issues/${moved.id}`).send({ projectId: null }).expect(200);
    const countsOf = async (list: string) => {
      const { body } = await api.get(`/api/companies/${companyId}/${list}`).expect(200);
      return body[0].issueCounts as IssueCounts;
    };
    for (let folds = 0; folds < 2; folds++) {
      expect(await countsOf('projects')).toMatchObject({
        total: 2,
        open: 1,
        byStatus: { todo: 1, done: 1, backlog: 0 },
      });
      for (const list of ['goals', 'agents']) {
        expect(await countsOf(list)).toMatchObject({ total: 3, open: 2, byStatus: { todo: 2 } });
      }
      await fold();
    }
  });
});
