import type { IssueStatus } from '@switchyard/types';

/** Spec, "States and transitions, Issue" with contract, "Behaviour" 1. Claiming is done by checkout. */
const UPDATES: Record<IssueStatus, readonly IssueStatus[]> = {
  backlog: ['todo', 'cancelled'],
  todo: ['backlog', 'cancelled'],
  in_progress: ['in_review', 'blocked', 'cancelled'],
  in_review: ['done', 'in_progress', 'cancelled'],
  blocked: ['todo', 'cancelled'],
  done: [],
  cancelled: [],
};

const CLAIMABLE: readonly IssueStatus[] = ['backlog', 'todo', 'blocked'];

export type Transition =
  | { kind: 'none' }
  | { kind: 'update' }
  | { kind: 'checkout_required' }
  | { kind: 'invalid'; allowed: readonly IssueStatus[] };

/** What a status update from one status to another means. */
export function transition(from: IssueStatus, to: IssueStatus): Transition {
  if (from === to) return { kind: 'none' };
  if (UPDATES[from].includes(to)) return { kind: 'update' };
  if (to === 'in_progress' && CLAIMABLE.includes(from)) return { kind: 'checkout_required' };
  return { kind: 'invalid', allowed: UPDATES[from] };
}
