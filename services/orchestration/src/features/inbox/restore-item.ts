import { ask } from '@switchyard/db';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { showItem } from './hidden-items';

export async function restoreItem(
  call: Call & { actor: BoardActor },
  itemId: string,
): Promise<void> {
  const { companyId, actor } = call;
  await inTransaction(call, async (tx) => {
    const shown = await ask(tx, showItem, { companyId, userId: actor.userId, itemId });
    if (shown.length > 0) await tx.record('inbox_item.restored', itemId);
  });
}
