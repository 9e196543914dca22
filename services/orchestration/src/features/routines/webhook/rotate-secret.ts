import { unprocessable } from '@switchyard/server';
import type { RotatedTriggerView } from '@switchyard/types';
import { type Call, inTransaction } from '../../../call';
import { lockOwnRoutine } from '../lock-own-routine';
import { presentWithSecret } from '../present-trigger';
import { getTrigger, routineOfTrigger } from '../update-trigger';
import { newTriggerSecret } from './trigger-secret';

/**
 * The previous secret is invalid at once: a firing compares the version it has checked under the lock that
 * this takes (spec, "Routines"; guarantee G17).
 * @throws ApiError 403 `not_own`, 409 `routine_archived`, 422 for a trigger that has no secret
 */
export async function rotateSecret(call: Call, triggerId: string): Promise<RotatedTriggerView> {
  const { actor } = call;
  return inTransaction(call, async (tx) => {
    const routine = await lockOwnRoutine(tx, await routineOfTrigger(tx, triggerId));
    const trigger = await getTrigger(tx, triggerId);
    if (trigger.kind !== 'webhook') {
      throw unprocessable('semantic_error', `a ${trigger.kind} trigger has no secret`, {
        kind: trigger.kind,
      });
    }
    const place = { ...trigger, secretVersion: trigger.secretVersion + 1 };
    const { secret, columns } = await newTriggerSecret(call.context.secretBox, tx, place);
    const madeByAgent = actor.type === 'agent';
    const data = { ...columns, madeByAgent };
    const row = await tx.prisma.routineTrigger.update({ where: { id: triggerId }, data });
    await tx.record('routine_trigger.rotated', triggerId, { routineId: routine.id });
    return presentWithSecret(row, call.context.config.publicUrl, secret);
  });
}
