import type { Schemas } from './api';

export type IssueStatus = Schemas['Issue']['status'];

export const STATUSES: readonly IssueStatus[] = [
  'backlog',
  'todo',
  'in_progress',
  'in_review',
  'blocked',
  'done',
  'cancelled',
];

export type Move = 'update' | 'checkout' | 'release' | 'complete' | 'reopen';

const UPDATES: Record<IssueStatus, readonly IssueStatus[]> = {
  backlog: ['todo', 'cancelled'],
  todo: ['backlog', 'cancelled'],
  in_progress: ['in_review', 'blocked', 'cancelled'],
  in_review: ['done', 'in_progress', 'cancelled'],
  blocked: ['todo', 'cancelled'],
  done: [],
  cancelled: [],
};

export function moveFor(from: IssueStatus, to: IssueStatus): Move | undefined {
  if (UPDATES[from].includes(to)) return 'update';
  const isEnded = from === 'done' || from === 'cancelled';
  if (isEnded) return to === 'todo' ? 'reopen' : undefined;
  if (to === 'done') return 'complete';
  if (to === 'in_progress') return from === 'in_progress' ? undefined : 'checkout';
  if (from === 'in_progress' && to === 'todo') return 'release';
  return undefined;
}

export const isEnded = (status: IssueStatus): boolean =>
  status === 'done' || status === 'cancelled';
