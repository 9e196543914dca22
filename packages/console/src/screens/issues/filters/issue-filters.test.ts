import { filtersOf, groupingOf, hasFilters, listFiltersOf, sortOf, toggled } from './issue-filters';

describe('filtersOf', () => {
  it('returns the filters without the view, the grouping and the order', () => {
    const search = { view: 'board', group: 'status', sort: 'due', label: 'bug', q: 'tyres' };
    expect(filtersOf(search)).toEqual({ label: 'bug', q: 'tyres' });
  });

  it('returns statuses as a list', () => {
    expect(filtersOf({ status: 'todo,blocked' })).toEqual({ status: ['todo', 'blocked'] });
    expect(filtersOf({ status: '' })).toEqual({});
  });

  it.each([
    ['none', { unassigned: 'true' }],
    ['agent:a', { assigneeAgentId: 'a' }],
    ['user:me', { assigneeUserId: 'me' }],
    ['', {}],
    ['nonsense', { assigneeAgentId: 'nonsense' }],
    ['agent:', { assigneeAgentId: 'agent:' }],
    ['team:a', { assigneeAgentId: 'team:a' }],
  ])('returns the query for the assignee "%s"', (assignee, query) => {
    expect(filtersOf({ assignee })).toEqual(query);
  });
});

it('listFiltersOf selects open issues by default', () => {
  expect(listFiltersOf({}).status).toEqual([
    'backlog',
    'todo',
    'in_progress',
    'in_review',
    'blocked',
  ]);
  expect(listFiltersOf({ view: 'all' })).toEqual({});
  expect(listFiltersOf({ status: 'done' })).toEqual({ status: ['done'] });
});

it('sortOf returns the default for an invalid order, and hasFilters ignores view and order', () => {
  expect(sortOf({})).toBe('priority');
  expect(sortOf({ sort: 'wrong' })).toBe('priority');
  expect(groupingOf({ group: 'assignee' })).toBe('assignee');
  expect(hasFilters({ view: 'list', sort: 'due' })).toBe(false);
  expect(hasFilters({ q: 'x' })).toBe(true);
});

it('toggled adds a missing value to a list, and removes a present value', () => {
  expect(toggled(undefined, 'todo')).toBe('todo');
  expect(toggled('todo', 'blocked')).toBe('todo,blocked');
  expect(toggled('todo,blocked', 'todo')).toBe('blocked');
  expect(toggled('todo', 'todo')).toBeUndefined();
});
