import { inTransaction } from '@switchyard/db';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { lockOwnRoutine } from './lock-routine';
import { getTrigger, routineOfTrigger } from './update-trigger';

/**
 * What it fired stays on record.
 * @throws Refusal 403 `not_own`, 409 `routine_archived`
 */
export async function deleteTrigger(scope: Scope, triggerId: string): Promise<void> {
  const { companyId, actor, runId } = scope;
  await inTransaction(scope.db, async (tx) => {
    const routine = await lockOwnRoutine(tx, scope, await routineOfTrigger(tx, triggerId));
    const trigger = await getTrigger(tx, triggerId);
    await tx.routineTrigger.delete({ where: { id: triggerId }, select: { id: true } });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'routine_trigger.deleted',
      entityType: 'routine_trigger',
      entityId: triggerId,
      details: { routineId: routine.id, kind: trigger.kind, label: trigger.label },
    });
  });
}
