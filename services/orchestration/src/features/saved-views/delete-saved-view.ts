import { ask, statement } from '@switchyard/db';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { lockSavedView, recordedView } from './saved-view';

export async function deleteSavedView(
  call: Call & { actor: BoardActor },
  viewId: string,
): Promise<void> {
  const { actor } = call;
  await inTransaction(call, async (tx) => {
    const view = await lockSavedView({ ...tx, actor }, viewId);
    await ask(tx, removeView, { viewId });
    await tx.record('saved_view.deleted', viewId, recordedView(view));
  });
}

const removeView = statement('delete-saved-view', {
  takes: { viewId: 'uuid' },
  gives: {},
  sql: ({ viewId }) => `DELETE FROM saved_view WHERE id = ${viewId}`,
});
