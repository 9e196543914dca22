import type { Prisma, RoutineTriggerModel } from '@switchyard/db';
import type { Tx } from '../../kernel/call';

export async function insertTrigger(
  tx: Tx,
  data: Prisma.RoutineTriggerUncheckedCreateInput,
): Promise<RoutineTriggerModel> {
  const row = await tx.prisma.routineTrigger.create({ data });
  const { id, routineId, kind, label } = row;
  await tx.record('routine_trigger.created', id, { routineId, kind, label });
  return row;
}

export async function changeTrigger(
  tx: Tx,
  id: string,
  data: TriggerColumns,
  changed: string[],
): Promise<RoutineTriggerModel> {
  const row = await tx.prisma.routineTrigger.update({ where: { id }, data });
  await tx.record('routine_trigger.updated', id, { routineId: row.routineId, changed });
  return row;
}

export async function rotateTrigger(
  tx: Tx,
  id: string,
  data: TriggerColumns,
): Promise<RoutineTriggerModel> {
  const row = await tx.prisma.routineTrigger.update({ where: { id }, data });
  await tx.record('routine_trigger.rotated', id, { routineId: row.routineId });
  return row;
}

export async function deleteTriggerRow(tx: Tx, trigger: RoutineTriggerModel): Promise<void> {
  const { id, routineId, kind, label } = trigger;
  await tx.prisma.routineTrigger.delete({ where: { id }, select: { id: true } });
  await tx.record('routine_trigger.deleted', id, { routineId, kind, label });
}

export async function setNextRun(tx: Tx, id: string, nextRunAt: Date | null): Promise<void> {
  await tx.prisma.routineTrigger.update({
    where: { id },
    data: { nextRunAt },
    select: { id: true },
  });
}

type TriggerColumns = Prisma.RoutineTriggerUncheckedUpdateInput;
