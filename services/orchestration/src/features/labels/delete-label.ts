import { type Call, inTransaction } from '../../kernel/call';
import { lockLabel, removeLabel } from '../../state/labels/change-label';

export async function deleteLabel(call: Call, labelId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const { name } = await lockLabel(tx, labelId);
    await removeLabel(tx, labelId);
    await tx.record('label.deleted', labelId, { name });
  });
}
