import type { ListedIssue } from '../edit-keys';
import type { Grouping } from '../filters/issue-filters';

export type ListRow =
  | { kind: 'issue'; id: string; issue: ListedIssue }
  | { kind: 'group'; id: string; grouping: Grouping; value: string; name: string; shown: number };

const VALUES: Record<Exclude<Grouping, 'none'>, (issue: ListedIssue) => string> = {
  status: ({ status }) => status,
  priority: ({ priority }) => priority,
  assignee: ({ assigneeAgentId, assigneeUserId }) => assigneeAgentId ?? assigneeUserId ?? '',
  project: ({ projectId }) => projectId ?? '',
};

export function grouped(
  issues: readonly ListedIssue[],
  grouping: Grouping,
  nameOf: (value: string, issue: ListedIssue) => string,
): ListRow[] {
  const rowOf = (issue: ListedIssue): ListRow => ({ kind: 'issue', id: issue.id, issue });
  if (grouping === 'none') return issues.map(rowOf);
  const groups = Map.groupBy(issues, VALUES[grouping]);
  return [...groups].flatMap(([value, members]) => [
    {
      kind: 'group',
      id: `group ${value}`,
      grouping,
      value,
      name: nameOf(value, members[0] as ListedIssue),
      shown: members.length,
    },
    ...members.map(rowOf),
  ]);
}
