import { type IssueStatus, STATUSES } from '../../../data/issue-moves';
import type { ListedIssue } from '../edit-keys';

export interface ReadColumn {
  status: IssueStatus;
  total?: number;
  issues: readonly ListedIssue[];
}

export interface Column {
  status: IssueStatus;
  total: number;
  issues: ListedIssue[];
}

export type Counted = ReadonlyMap<string, IssueStatus>;

export function columnsOf(read: readonly ReadColumn[], counted: Counted = NONE): Column[] {
  const columns = new Map(
    STATUSES.map((status) => [
      status,
      { total: 0, moved: [] as ListedIssue[], own: [] as ListedIssue[] },
    ]),
  );
  const known = new Set<string>();
  for (const { status, total, issues } of read) {
    const from = columns.get(status);
    if (from) from.total += total ?? 0;
    for (const issue of issues) {
      if (known.has(issue.id)) continue;
      known.add(issue.id);
      const to = columns.get(issue.status);
      (issue.status === status ? to?.own : to?.moved)?.push(issue);
      const before = columns.get(counted.get(issue.id) ?? status);
      if (before === to) continue;
      if (to) to.total += 1;
      if (before) before.total -= 1;
    }
  }
  const asked = new Set(read.map(({ status }) => status));
  return [...columns]
    .filter(([status]) => asked.has(status))
    .map(([status, { total, moved, own }]) => ({ status, total, issues: [...moved, ...own] }));
}

const NONE: Counted = new Map();
