import type { paths } from '@switchyard/client';

type ListQuery = NonNullable<
  paths['/api/companies/{companyId}/issues']['get']['parameters']['query']
>;

export type Search = Readonly<Record<string, string | undefined>>;

export const SORTS = ['priority', 'updated', 'created', 'due'] as const;
export type Sort = (typeof SORTS)[number];

export const GROUPINGS = ['none', 'status', 'priority', 'assignee', 'project'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const FILTERS = [
  'status',
  'assignee',
  'projectId',
  'servesGoalId',
  'parentId',
  'approvalId',
  'label',
  'q',
] as const;
export type Filter = (typeof FILTERS)[number];

export const hasFilters = (search: Search): boolean => FILTERS.some((name) => search[name]);

/**
 * Returns the filters to send; `assignee` is `none`, `agent:<id>` or `user:<id>`. Sends invalid
 * values unchanged, so that the service rejects them: ignoring a filter would show everything.
 */
export function filtersOf(search: Search): Omit<ListQuery, 'cursor' | 'limit' | 'sort'> {
  const { status, assignee, ...others } = search;
  const plain = FILTERS.filter((name) => name !== 'status' && name !== 'assignee');
  const given = plain.flatMap((name) => (others[name] ? [[name, others[name]]] : []));
  const statuses = status?.split(',').filter((each) => each !== '');
  return {
    ...Object.fromEntries(given),
    ...(statuses && statuses.length > 0 && { status: statuses as ListQuery['status'] }),
    ...assigneeOf(assignee),
  };
}

function assigneeOf(assignee: string | undefined): Partial<ListQuery> {
  if (!assignee) return {};
  if (assignee === 'none') return { unassigned: 'true' };
  const [, kind, id = ''] = /^(agent|user):(.+)$/.exec(assignee) ?? [];
  if (kind === 'user') return { assigneeUserId: id };
  return { assigneeAgentId: kind === 'agent' ? id : assignee };
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

export const sortOf = (search: Search): Sort => oneOf(SORTS, search.sort) ?? 'priority';
export const groupingOf = (search: Search): Grouping => oneOf(GROUPINGS, search.group) ?? 'none';
export function listFiltersOf(search: Search): ReturnType<typeof filtersOf> {
  const filters = filtersOf(search);
  return filters.status || search.view === 'all' ? filters : { ...filters, status: [...OPEN] };
}

const OPEN = ['backlog', 'todo', 'in_progress', 'in_review', 'blocked'] as const;

export const isBoard = (search: Search): boolean => search.view === 'board';

export function toggled(list: string | undefined, value: string): string | undefined {
  const values = list?.split(',').filter((each) => each !== '') ?? [];
  const next = values.includes(value)
    ? values.filter((each) => each !== value)
    : [...values, value];
  return next.length > 0 ? next.join(',') : undefined;
}
