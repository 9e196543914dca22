import { inTransaction } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import type { RotatedTriggerView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { lockOwnRoutine } from './lock-routine';
import { presentWithSecret } from './present-trigger';
import { newTriggerSecret } from './trigger-secret';
import { getTrigger, routineOfTrigger } from './update-trigger';

/**
 * The previous secret is invalid at once: a firing compares the version it has checked under the lock that
 * this takes (spec, "Routines"; guarantee G17).
 * @throws Refusal 403 `not_own`, 409 `routine_archived`, 422 for a trigger that has no secret
 */
export async function rotateSecret(
  effects: Effects,
  scope: Scope,
  triggerId: string,
): Promise<RotatedTriggerView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const routine = await lockOwnRoutine(tx, scope, await routineOfTrigger(tx, triggerId));
    const trigger = await getTrigger(tx, triggerId);
    if (trigger.kind !== 'webhook') {
      throw semantic('semantic_error', `a ${trigger.kind} trigger has no secret`, {
        kind: trigger.kind,
      });
    }
    const place = { ...trigger, secretVersion: trigger.secretVersion + 1 };
    const { secret, columns } = await newTriggerSecret(effects.secretBox, tx, place);
    const madeByAgent = actor.type === 'agent';
    const data = { ...columns, madeByAgent };
    const row = await tx.routineTrigger.update({ where: { id: triggerId }, data });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'routine_trigger.rotated',
      entityType: 'routine_trigger',
      entityId: triggerId,
      details: { routineId: routine.id },
    });
    return presentWithSecret(row, effects.config.publicUrl, secret);
  });
}
