import { type Call, inTransaction } from '../../kernel/call';
import { deleteTriggerRow } from '../../state/routines/change-trigger';
import { lockTrigger } from './lock-own-routine';

export async function deleteTrigger(call: Call, triggerId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const { trigger } = await lockTrigger(tx, triggerId);
    await deleteTriggerRow(tx, trigger);
  });
}
