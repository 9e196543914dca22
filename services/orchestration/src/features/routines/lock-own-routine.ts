import type { RoutineTriggerModel } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { assertOwnRoutine } from '../../access/rules';
import type { Tx } from '../../kernel/call';
import { type LockedRoutine, lockRoutine } from '../../state/routines/lock-routine';
import { refuseArchived } from './firing/stopped';

export async function lockOwnRoutine(tx: Tx, routineId: string): Promise<LockedRoutine> {
  const routine = await lockRoutine(tx, routineId);
  assertOwnRoutine(tx, routine);
  refuseArchived(routine);
  return routine;
}

export async function lockTrigger(
  tx: Tx,
  id: string,
): Promise<{ routine: LockedRoutine; trigger: RoutineTriggerModel }> {
  const named = await tx.prisma.routineTrigger.findUnique({
    where: { id },
    select: { routineId: true },
  });
  if (!named) throw notFound('trigger');
  const routine = await lockOwnRoutine(tx, named.routineId);
  return { routine, trigger: await getTrigger(tx, id) };
}

export async function getTrigger(tx: Tx, id: string): Promise<RoutineTriggerModel> {
  const trigger = await tx.prisma.routineTrigger.findUnique({ where: { id } });
  if (!trigger) throw notFound('trigger');
  return trigger;
}
