import { newId } from '@switchyard/db';
import {
  ISSUE_PRIORITIES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueBoardView,
  type IssueCounts,
  type ListedIssueView,
} from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

const ROWS = 90;

describe('the issue board', () => {
  const harness = useHarness();
  let companyId: string;
  let filters: string[];

  beforeAll(async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    companyId = agent.companyId;
    const project = await build.project({ companyId });
    const goal = await build.goal({ companyId });
    const parent = await build.issue({ companyId, labels: ['red'] });
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const status = ISSUE_STATUSES.filter((one) => one !== 'in_progress')[at % 6] as string;
      const priority = ISSUE_PRIORITIES[at % 4] as string;
      return {
        id: newId(),
        companyId,
        issueNumber: 100 + at,
        identifier: `B${companyId.slice(-6)}-${100 + at}`,
        title: at % 5 ? 'login' : 'crash',
        status,
        priority,
        priorityRank: at % 4,
        assigneeAgentId: at % 3 ? agent.id : null,
        projectId: at % 2 ? project.id : null,
        goalId: at % 7 ? goal.id : null,
        parentId: at % 2 ? parent.id : null,
        dueDate: at % 3 ? new Date('2026-03-01') : null,
        completedAt: status === 'done' ? new Date(0) : null,
        cancelledAt: status === 'cancelled' ? new Date(0) : null,
      };
    });
    await db.issue.createMany({ data: rows });
    const label = await db.label.findFirstOrThrow({ where: { companyId } });
    const labelled = rows.filter((_, at) => at % 4 === 0);
    await db.issueLabel.createMany({
      data: labelled.map(({ id }) => ({ companyId, issueId: id, labelId: label.id })),
    });
    filters = [
      '',
      'status=todo,done',
      `assigneeAgentId=${agent.id}`,
      'unassigned=true',
      `projectId=${project.id}&status=blocked`,
      `goalId=${goal.id}`,
      `parentId=${parent.id}`,
      'label=RED',
      'q=crash',
      'q=login&label=red',
      'updatedAfter=2999-01-01T00:00:00Z',
      'assigneeUserId=me',
      'label=nobodys',
    ];
  });

  const get = async <T>(path: string): Promise<T> =>
    (await harness.api.get(`/api/companies/${companyId}/issues${path}`).expect(200)).body;

  it.each(ISSUE_SORTS)(
    'returns the first page and a cursor for each status, sorted by %s',
    async (sort) => {
      for (const filter of filters) {
        const { columns } = await get<IssueBoardView>(`/board?limit=4&sort=${sort}&${filter}`);
        const asked = new URLSearchParams(filter).get('status')?.split(',') ?? ISSUE_STATUSES;
        expect(columns.map(({ status }) => status)).toEqual(
          ISSUE_STATUSES.filter((one) => asked.includes(one)),
        );
        const query = new URLSearchParams(filter);
        for (const { status, total, issues, nextCursor } of columns) {
          query.set('status', status);
          const list = `?sort=${sort}&${query}`;
          const path = `/api/companies/${companyId}/issues${list}`;
          const all = await walkPages<ListedIssueView>(harness, path, 50);
          expect([filter, status, total]).toEqual([filter, status, all.length]);
          expect(issues).toEqual(all.slice(0, 4));
          expect(nextCursor === null).toBe(all.length <= 4);
          if (nextCursor === null) continue;
          const rest = await get<ListedIssueView[]>(`${list}&limit=500&cursor=${nextCursor}`);
          expect(rest).toEqual(all.slice(4));
        }
      }
    },
  );

  it('applies the same filters to its counts as the list', async () => {
    for (const filter of filters) {
      const all = await walkPages<ListedIssueView>(
        harness,
        `/api/companies/${companyId}/issues?${filter}`,
        50,
      );
      const counts = await get<IssueCounts>(`/counts?${filter}`);
      const byStatus = Object.fromEntries(
        ISSUE_STATUSES.map((status) => [status, all.filter((one) => one.status === status).length]),
      );
      const open = all.length - (byStatus.done ?? 0) - (byStatus.cancelled ?? 0);
      expect([filter, counts]).toEqual([filter, { total: all.length, open, byStatus }]);
    }
  });

  it('contains no issue for filters with ids or labels of another company', async () => {
    const foreign = await harness.build.issue({ labels: ['theirs'] });
    for (const filter of [`parentId=${foreign.id}`, 'label=theirs', `goalId=${newId()}`]) {
      expect(await get(`/counts?${filter}`)).toMatchObject({ total: 0 });
      const { columns } = await get<IssueBoardView>(`/board?${filter}`);
      expect(columns.every(({ total, issues }) => total === 0 && issues.length === 0)).toBe(true);
    }
  });

  it.each([
    ['board', 'sort', 'sort=best'],
    ['board', 'limit', 'limit=201'],
    ['board', 'limit', 'limit=0'],
    ['board', 'cursor', 'cursor=W10'],
    ['counts', 'sort', 'sort=due'],
    ['counts', 'status', 'status=open'],
    ['counts', 'unassigned', `unassigned=true&assigneeUserId=me`],
  ])('rejects a request to /%s with 400, and the error names %s: ?%s', async (of, field, query) => {
    const { body } = await harness.api
      .get(`/api/companies/${companyId}/issues/${of}?${query}`)
      .expect(400);
    expect(JSON.stringify(body.details)).toContain(field);
  });

  it('executes as many SQL statements for all columns as for one', async () => {
    const spy = jest.spyOn(harness.context.db.pool, 'query');
    const count = async (path: string) => {
      spy.mockClear();
      await get(path);
      return spy.mock.calls.length;
    };
    try {
      await count('/counts');
      const one = await count('/board?status=todo&limit=1');
      expect(await count('/board?limit=200')).toBe(one);
      expect(one).toBeLessThanOrEqual(3);
      expect(await count('/board?limit=200&label=red&q=crash')).toBeLessThanOrEqual(7);
      expect(await count('/counts')).toBeLessThanOrEqual(2);
    } finally {
      spy.mockRestore();
    }
  });
});
