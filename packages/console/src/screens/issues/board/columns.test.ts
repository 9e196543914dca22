import type { IssueStatus } from '../../../data/issue-moves';
import type { ListedIssue } from '../edit-keys';
import { columnsOf } from './columns';

const issue = (id: string, status: IssueStatus) => ({ id, status }) as ListedIssue;
const shown = (columns: ReturnType<typeof columnsOf>) =>
  columns.map(({ status, total, issues }) => [status, total, issues.map(({ id }) => id).join('')]);

it('columnsOf keeps the service’s order across pages, and returns each issue once', () => {
  const columns = columnsOf([
    { status: 'todo', total: 4, issues: [issue('a', 'todo'), issue('b', 'todo')] },
    { status: 'done', total: 0, issues: [] },
    { status: 'todo', issues: [issue('b', 'todo'), issue('c', 'todo')] },
  ]);
  expect(shown(columns)).toEqual([
    ['todo', 4, 'abc'],
    ['done', 0, ''],
  ]);
});

it('columnsOf puts a moved issue first in its new column, and adds the issue to the column’s count', () => {
  const columns = columnsOf([
    { status: 'todo', total: 300, issues: [issue('a', 'todo'), issue('b', 'backlog')] },
    { status: 'backlog', total: 7, issues: [issue('c', 'backlog')] },
  ]);
  expect(shown(columns)).toEqual([
    ['backlog', 8, 'bc'],
    ['todo', 299, 'a'],
  ]);
});

it('columnsOf counts a moved issue of a later page once, even if the counts already include the move', () => {
  const read = [
    { status: 'todo', total: 300, issues: [] },
    { status: 'backlog', total: 7, issues: [] },
    { status: 'todo', issues: [issue('a', 'backlog'), issue('b', 'backlog'), issue('c', 'todo')] },
  ] as const;
  const counted = new Map<string, IssueStatus>([
    ['a', 'backlog'],
    ['b', 'todo'],
    ['c', 'todo'],
  ]);
  expect(shown(columnsOf(read, counted))).toEqual([
    ['backlog', 8, 'ab'],
    ['todo', 299, 'c'],
  ]);
});
