import { type Call, inTransaction } from '../../call';
import { lockOwnRoutine } from './lock-own-routine';
import { getTrigger, routineOfTrigger } from './update-trigger';

/**
 * What it fired stays on record.
 * @throws ApiError 403 `not_own`, 409 `routine_archived`
 */
export async function deleteTrigger(call: Call, triggerId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const routine = await lockOwnRoutine(tx, await routineOfTrigger(tx, triggerId));
    const trigger = await getTrigger(tx, triggerId);
    await tx.prisma.routineTrigger.delete({ where: { id: triggerId }, select: { id: true } });
    await tx.record('routine_trigger.deleted', triggerId, {
      routineId: routine.id,
      kind: trigger.kind,
      label: trigger.label,
    });
  });
}
