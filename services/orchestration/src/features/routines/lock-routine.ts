import type { RoutineModel, Transaction } from '@switchyard/db';
import { conflict, forbidden, notFound } from '@switchyard/server';
import type { Call, Tx } from '../../call';

/**
 * Locks a routine; taken before every other lock, those of company, agent and issue too, because who fires
 * must know what is active before it makes anything. Nobody who holds one of those asks for this one.
 */
export async function lockRoutine(tx: Transaction, routineId: string): Promise<RoutineModel> {
  await tx.prisma.$queryRaw`SELECT 1 FROM routine WHERE id = ${routineId}::uuid FOR NO KEY UPDATE`;
  const routine = await tx.prisma.routine.findUnique({ where: { id: routineId } });
  if (!routine) throw notFound('routine');
  return routine;
}

/** An agent changes and fires only what is assigned to it (spec, "Authentication"). */
export function assertOwnRoutine(call: Call, routine: { assigneeAgentId: string }): void {
  const { actor } = call;
  if (actor.type !== 'agent' || actor.agentId === routine.assigneeAgentId) return;
  throw forbidden('not_own', 'an agent may do this with its own routines only');
}

/** @throws ApiError 409 `routine_archived` (contract, "Behaviour" 7) */
export function refuseArchived(routine: { status: string }): void {
  if (routine.status !== 'archived') return;
  throw conflict('routine_archived', 'the routine is archived', { retry: false });
}

/**
 * Locks a routine that the caller is about to change.
 * @throws ApiError 403 `not_own`, 409 `routine_archived`
 */
export async function lockOwnRoutine(tx: Tx, routineId: string): Promise<RoutineModel> {
  const routine = await lockRoutine(tx, routineId);
  assertOwnRoutine(tx, routine);
  refuseArchived(routine);
  return routine;
}
