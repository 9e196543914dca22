import { type Call, inTransaction } from '../../kernel/call';
import { deleteTriggerRow } from '../../state/routines/change-trigger';
import { lockTrigger } from './lock-own-routine';

/** Keeps the runs that it fired. @throws ApiError 403 `not_own`, 409 `routine_archived` */
export async function deleteTrigger(call: Call, triggerId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const { trigger } = await lockTrigger(tx, triggerId);
    await deleteTriggerRow(tx, trigger);
  });
}
