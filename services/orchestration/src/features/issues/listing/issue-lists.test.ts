import { newId } from '@switchyard/db';
import {
  ISSUE_PRIORITIES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueSort,
  type ListedIssueView,
} from '@switchyard/types';
import fc from 'fast-check';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

const TIMES = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-02-01T00:00:00.000Z'];
const DAYS = [null, null, '2026-03-01', '2026-03-02'];
const WORDS = ['login', 'crash', 'login crash'];
const ROWS = 80;

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

describe('the list of issues', () => {
  const harness = useHarness();
  let companyId: string;
  let all: ListedIssueView[];
  let ids: { agent: string; project: string; goal: string; parent: string; approval: string };

  beforeAll(async () => {
    const { build, db, api } = harness;
    const agent = await build.agent();
    companyId = agent.companyId;
    const goal = await build.goal({ companyId });
    const project = await build.project({ companyId });
    const parent = await build.issue({ companyId, title: 'parent', labels: ['Red', 'blue'] });
    const random = fc.sample(fc.array(fc.nat(1_000), { minLength: 9, maxLength: 9 }), {
      seed: 7,
      numRuns: ROWS,
    });
    const rows = random.map((n, at) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = n;
      const priority = pick(ISSUE_PRIORITIES, a);
      const status = pick(
        ISSUE_STATUSES.filter((one) => one !== 'in_progress'),
        b,
      );
      return {
        id: newId(),
        companyId,
        issueNumber: 100 + at,
        identifier: `T${companyId.slice(-6)}-${100 + at}`,
        title: pick(WORDS, i),
        priority,
        priorityRank: ISSUE_PRIORITIES.indexOf(priority),
        status,
        createdAt: pick(TIMES, c),
        updatedAt: pick(TIMES, d),
        dueDate: pick(DAYS, e) ? new Date(pick(DAYS, e) as string) : null,
        assigneeAgentId: f % 2 ? agent.id : null,
        projectId: g % 2 ? project.id : null,
        goalId: h % 2 ? goal.id : null,
        parentId: h % 3 ? parent.id : null,
        completedAt: status === 'done' ? pick(TIMES, d) : null,
        cancelledAt: status === 'cancelled' ? pick(TIMES, d) : null,
      };
    });
    await db.issue.createMany({ data: rows });
    const labels = await db.label.findMany({ where: { companyId } });
    const links = rows.flatMap(({ id }, at) =>
      labels
        .filter((_, label) => (at >> label) % 2 === 0)
        .map((label) => ({ companyId, issueId: id, labelId: label.id })),
    );
    await db.issueLabel.createMany({ data: links });
    const issueIds = rows.filter((_, at) => at % 4 === 0).map(({ id }) => id);
    const asked = { type: 'approve_ceo_strategy', issueIds };
    const approval = await api.post(`/api/companies/${companyId}/approvals`).send(asked);
    ids = {
      agent: agent.id,
      project: project.id,
      goal: goal.id,
      parent: parent.id,
      approval: approval.body.id,
    };
    linked = new Set(issueIds);
    all = (await harness.api.get(`/api/companies/${companyId}/issues?limit=500`).expect(200)).body;
    expect(all).toHaveLength(ROWS + 1);
  });

  let linked: Set<string>;

  const KEYS: Record<IssueSort, (issue: ListedIssueView) => (string | number)[]> = {
    priority: (one) => [ISSUE_PRIORITIES.indexOf(one.priority), one.createdAt, one.id],
    updated: (one) => [one.updatedAt, one.id],
    created: (one) => [one.createdAt, one.id],
    due: (one) => [
      one.dueDate ?? '9',
      ISSUE_PRIORITIES.indexOf(one.priority),
      one.createdAt,
      one.id,
    ],
  };

  function sorted(issues: ListedIssueView[], sort: IssueSort): string[] {
    const direction = sort === 'priority' || sort === 'due' ? 1 : -1;
    const compare = (a: ListedIssueView, b: ListedIssueView) => {
      const [left, right] = [KEYS[sort](a), KEYS[sort](b)];
      const at = left.findIndex((value, place) => value !== right[place]);
      return at < 0 ? 0 : direction * ((left[at] as string) < (right[at] as string) ? -1 : 1);
    };
    return [...issues].sort(compare).map((issue) => issue.id);
  }

  type Filter = [query: string, fits: (issue: ListedIssueView) => boolean];

  const filters = (): Filter[] => [
    ['status=todo,done', (one) => one.status === 'todo' || one.status === 'done'],
    ['status=backlog', (one) => one.status === 'backlog'],
    [`assigneeAgentId=${ids.agent}`, (one) => one.assigneeAgentId === ids.agent],
    ['unassigned=true', (one) => one.assigneeAgentId === null],
    [`projectId=${ids.project}`, (one) => one.projectId === ids.project],
    [`goalId=${ids.goal}`, (one) => one.goalId === ids.goal],
    [`servesGoalId=${ids.goal}`, (one) => one.goalId === ids.goal],
    [`parentId=${ids.parent}`, (one) => one.parentId === ids.parent],
    [`approvalId=${ids.approval}`, (one) => linked.has(one.id)],
    ['label=RED', (one) => one.labels.includes('Red')],
    ['label=blue', (one) => one.labels.includes('blue')],
    ['q=crash', (one) => one.title.includes('crash')],
    ['q=log', (one) => one.title.includes('login')],
    [`updatedAfter=${TIMES[0]}`, (one) => one.updatedAt > (TIMES[0] as string)],
  ];

  const nameOf = (query: string) => query.split('=')[0] as string;

  it('returns every match once and in order, for each sort and for any filters', async () => {
    const combination = fc.record({
      sort: fc.constantFrom(...ISSUE_SORTS),
      chosen: fc.subarray(filters().map((_, at) => at)),
      limit: fc.integer({ min: 3, max: 40 }),
    });
    const check = fc.asyncProperty(combination, async ({ sort, chosen, limit }) => {
      const given = new Map(
        chosen.map((at) => filters()[at] as Filter).map((one) => [nameOf(one[0]), one]),
      );
      if (given.has('unassigned')) given.delete('assigneeAgentId');
      const queries = [...given.values()].map(([query]) => query);
      const path = `/api/companies/${companyId}/issues?${[`sort=${sort}`, ...queries].join('&')}`;
      const fitting = all.filter((issue) => [...given.values()].every(([, fits]) => fits(issue)));
      const walked = await walkPages<ListedIssueView>(harness, path, limit);
      expect(walked.map((issue) => issue.id)).toEqual(sorted(fitting, sort));
    });
    await fc.assert(check, { numRuns: 60 });
  });

  it.each(ISSUE_SORTS)(
    'returns exactly the matching rows for each filter, sorted by %s',
    async (sort) => {
      for (const [query, fits] of [['', () => true], ...filters()] as Filter[]) {
        const path = `/api/companies/${companyId}/issues?sort=${sort}&${query}`;
        const walked = await walkPages<ListedIssueView>(harness, path, 13);
        expect([query, walked.map((issue) => issue.id)]).toEqual([
          query,
          sorted(all.filter(fits), sort),
        ]);
      }
    },
  );

  it('contains the number of children of each issue', async () => {
    const parent = all.find((issue) => issue.id === ids.parent);
    const children = all.filter((issue) => issue.parentId === ids.parent);
    expect(parent?.childCount).toBe(children.length);
    expect(all.filter((issue) => issue.childCount > 0)).toEqual([parent]);
    const { body } = await harness.api.get(`/api/approvals/${ids.approval}/issues?limit=500`);
    expect(body.map((one: ListedIssueView) => one.id)).toEqual(
      sorted(
        all.filter((one) => linked.has(one.id)),
        'priority',
      ),
    );
  });

  it('rejects a cursor from a list with another sort or filter', async () => {
    const get = (query: string) => harness.api.get(`/api/companies/${companyId}/issues?${query}`);
    const cursorOf = async (query: string) =>
      (await get(`${query}&limit=2`).expect(200)).headers['x-next-cursor'] as string;
    const queries = [
      'sort=priority',
      'sort=updated',
      'sort=created',
      'sort=due',
      'status=todo',
      'q=crash',
      'q=login',
      'label=red',
      `goalId=${ids.goal}`,
      `servesGoalId=${ids.goal}`,
      'unassigned=true',
    ];
    const cursors = await Promise.all(queries.map(cursorOf));
    for (const [at, query] of queries.entries()) {
      for (const [from, cursor] of cursors.entries()) {
        const answer = await get(`${query}&cursor=${cursor}`);
        expect([query, queries[from], answer.status]).toEqual([
          query,
          queries[from],
          at === from ? 200 : 400,
        ]);
        if (at !== from) expect(answer.body.details[0].path).toEqual(['cursor']);
      }
    }
    await get(`status=done,todo&cursor=${await cursorOf('status=todo,done')}`).expect(200);
  });

  it.each([
    ['sort', 'sort=best'],
    ['sort', 'sort='],
    ['parentId', 'parentId=ACM-1'],
    ['goalId', 'goalId=x'],
    ['approvalId', 'approvalId=%00'],
    ['label', 'label='],
    ['label', `label=${'x'.repeat(101)}`],
    ['q', 'q='],
    ['q', 'q=%00'],
    ['q', `q=${'x'.repeat(201)}`],
    ['updatedAfter', 'updatedAfter=yesterday'],
    ['updatedAfter', 'updatedAfter=0000-01-01T00:00:00Z'],
    ['updatedAfter', 'updatedAfter=0001-01-01T00:00:00%2B14:00'],
    ['updatedAfter', 'updatedAfter=2026-01-01'],
    ['unassigned', 'unassigned=yes'],
    ['unassigned', `unassigned=true&assigneeAgentId=${newId()}`],
    ['cursor', 'sort=due&cursor=W10'],
  ])('rejects %s in ?%s with 400', async (field, query) => {
    const { body } = await harness.api
      .get(`/api/companies/${companyId}/issues?${query}`)
      .expect(400);
    expect(body.details[0].path).toEqual([field]);
  });

  it('contains no issue for filters with ids or labels of another company', async () => {
    const foreign = await harness.build.issue({ labels: ['theirs'], title: 'foreign crash' });
    const goal = await harness.build.goal();
    for (const query of [
      'label=theirs',
      'label=nobodys',
      `parentId=${foreign.id}`,
      `goalId=${goal.id}`,
      `approvalId=${newId()}`,
      'q=foreign',
      'q=%22%21%21%22',
    ]) {
      const path = `/api/companies/${companyId}/issues?${query}`;
      expect((await harness.api.get(path).expect(200)).body).toEqual([]);
    }
  });
});
