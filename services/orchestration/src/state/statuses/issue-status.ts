import { ISSUE_STATUSES, type IssueStatus } from '@switchyard/types';

const UPDATES: Record<IssueStatus, readonly IssueStatus[]> = {
  backlog: ['todo', 'cancelled'],
  todo: ['backlog', 'cancelled'],
  in_progress: ['in_review', 'blocked', 'cancelled'],
  in_review: ['done', 'in_progress', 'cancelled'],
  blocked: ['todo', 'cancelled'],
  done: [],
  cancelled: [],
};

const WAITING: readonly IssueStatus[] = ['backlog', 'todo', 'blocked'];

export const CLAIMABLE: readonly IssueStatus[] = [...WAITING, 'in_progress'];

export const isClaimable = (status: IssueStatus): boolean => CLAIMABLE.includes(status);

export const INITIAL: readonly IssueStatus[] = ISSUE_STATUSES.filter(
  (status) => status !== 'in_progress',
);

export const isOver = (status: string) => status === 'done' || status === 'cancelled';

/** This SQL must match the condition of the index of open children. */
export const isOpenSql = (alias: string) => `${alias}.status NOT IN ('done', 'cancelled')`;

export const isStartedOrNextSql = (issue: string) => `${issue}.status IN ('todo', 'in_progress')`;

export const openBlockersSql = (issueId: string) => `(
  SELECT count(*)::int FROM issue_blocker b JOIN issue blocker ON blocker.id = b.blocker_id
  WHERE b.issue_id = ${issueId} AND ${isOpenSql('blocker')})`;

export type Transition =
  | { kind: 'none' }
  | { kind: 'update' }
  | { kind: 'checkout_required' }
  | { kind: 'invalid'; allowed: readonly IssueStatus[] };

export function transition(from: IssueStatus, to: IssueStatus): Transition {
  if (from === to) return { kind: 'none' };
  if (UPDATES[from].includes(to)) return { kind: 'update' };
  if (to === 'in_progress' && WAITING.includes(from)) return { kind: 'checkout_required' };
  return { kind: 'invalid', allowed: UPDATES[from] };
}

export interface Step {
  to: IssueStatus;
  by: 'update' | 'checkout' | 'release';
}

/**
 * Returns the shortest path between two statuses. The path is empty if they are equal, or if `from`
 * is `done` or `cancelled`.
 */
export function stepsTo(from: IssueStatus, to: IssueStatus): Step[] {
  const ways = new Map<IssueStatus, Step[]>([[from, []]]);
  for (const [status, way] of ways) {
    if (status === to) return way;
    for (const step of stepsFrom(status)) {
      if (!ways.has(step.to)) ways.set(step.to, [...way, step]);
    }
  }
  return [];
}

function stepsFrom(status: IssueStatus): Step[] {
  return [
    ...UPDATES[status].map((to) => ({ to, by: 'update' }) as const),
    ...(WAITING.includes(status) ? [{ to: 'in_progress', by: 'checkout' } as const] : []),
    ...(status === 'in_progress' ? [{ to: 'todo', by: 'release' } as const] : []),
  ];
}
