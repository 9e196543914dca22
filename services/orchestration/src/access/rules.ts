import { forbidden } from '@switchyard/server';
import type { Actor, Scope } from './actor';

/** Who may use a route; finer rules are functions below. */
export type Access = 'public' | 'agent-or-board' | 'agent' | 'board';

export function assertAccess(access: Access, actor: Actor): void {
  if (access === 'board' && actor.type !== 'board') {
    throw forbidden('board_only', 'only the board may do this');
  }
  if (access === 'agent' && actor.type !== 'agent') {
    throw forbidden('forbidden', 'only an agent may do this');
  }
}

/** An agent acts for itself only; the board for any agent of the company. */
export function assertSelfOrBoard(scope: Pick<Scope, 'actor'>, agentId: string): void {
  const { actor } = scope;
  if (actor.type === 'agent' && actor.agentId !== agentId) {
    throw forbidden('not_own', 'an agent may do this for itself only');
  }
}
