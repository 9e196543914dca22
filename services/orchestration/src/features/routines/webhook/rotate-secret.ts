import { unprocessable } from '@switchyard/server';
import type { RotatedTriggerView } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { rotateTrigger } from '../../../state/routines/change-trigger';
import { getTrigger, lockTrigger } from '../lock-own-routine';
import { presentWithSecret } from '../present-trigger';
import { newTriggerSecret } from './trigger-secret';

/**
 * The previous secret is invalid immediately: a firing compares versions under this lock (spec,
 * "Routines").
 * @throws ApiError 403 `not_own`, 409 `routine_archived`, 422 for a trigger without a secret
 */
export async function rotateSecret(call: Call, triggerId: string): Promise<RotatedTriggerView> {
  const { actor } = call;
  return inTransaction(call, async (tx) => {
    const { trigger } = await lockTrigger(tx, triggerId);
    if (trigger.kind !== 'webhook') {
      throw unprocessable('semantic_error', `a ${trigger.kind} trigger has no secret`, {
        kind: trigger.kind,
      });
    }
    const place = { ...trigger, secretVersion: trigger.secretVersion + 1 };
    const { secret, columns } = await newTriggerSecret(call.context.secretBox, tx, place);
    const madeByAgent = actor.type === 'agent';
    await rotateTrigger(tx, trigger, { ...columns, madeByAgent });
    const row = await getTrigger(tx, triggerId);
    return presentWithSecret(row, call.context.config.publicUrl, secret);
  });
}
