import { forbidden } from '@switchyard/server';
import type { Call, Tx } from '../../call';
import { type LockedRoutine, lockRoutine } from '../../state/routines/lock-routine';
import { refuseArchived } from './firing/stopped';

/**
 * Locks a routine that the caller is about to change or fire.
 * @throws ApiError 403 `not_own`, 409 `routine_archived`
 */
export async function lockOwnRoutine(tx: Tx, routineId: string): Promise<LockedRoutine> {
  const routine = await lockRoutine(tx, routineId);
  assertOwnRoutine(tx, routine);
  refuseArchived(routine);
  return routine;
}

/** An agent changes and fires only what is assigned to it (spec, "Authentication"). */
function assertOwnRoutine({ actor }: Call, routine: { assigneeAgentId: string }): void {
  if (actor.type !== 'agent' || actor.agentId === routine.assigneeAgentId) return;
  throw forbidden('not_own', 'an agent may do this with its own routines only');
}
