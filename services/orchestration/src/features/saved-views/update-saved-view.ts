import { ask, statement } from '@switchyard/db';
import { forbidden } from '@switchyard/server';
import type { SavedViewView, UpdateSavedViewBody } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { nameKey, withUniqueName } from '../../state/names/unique-names';
import { lockSavedView, recordedView, WRITTEN_VIEW, writtenView } from './saved-view';

/**
 * Changes the caller's view, or a shared view of another person, who remains its owner.
 * @throws ApiError 403 `not_own` for unsharing another person's view, 404, 409 `name_taken`
 */
export async function updateSavedView(
  call: Call & { actor: BoardActor },
  viewId: string,
  body: UpdateSavedViewBody,
): Promise<SavedViewView> {
  const { actor } = call;
  return inTransaction(call, async (tx) => {
    const before = await lockSavedView({ ...tx, actor }, viewId);
    if (!before.isOwn && body.isShared === false) {
      throw forbidden('not_own', 'only the person who saved a view may stop sharing it');
    }
    const changed = changedFields(before, body);
    if (changed.length === 0) return before;
    const after = await write(tx, { ...before, ...body });
    await tx.record('saved_view.updated', viewId, { ...recordedView(after), changed });
    return after;
  });
}

async function write(tx: Tx, view: SavedViewView): Promise<SavedViewView> {
  const { id, name, query, isShared } = view;
  const written = ask(tx, changeView, { id, name, nameKey: nameKey(name), query, isShared });
  const [after] = await withUniqueName('your view', name, written);
  if (!after) throw new Error('the locked saved view is missing');
  return { ...after, isOwn: view.isOwn };
}

const changeView = statement('change-saved-view', {
  takes: { id: 'uuid', name: 'text', nameKey: 'text', query: 'text', isShared: 'bool' },
  gives: WRITTEN_VIEW,
  sql: (p) => `
    UPDATE saved_view v SET name = ${p.name}, name_key = ${p.nameKey}, query = ${p.query}, is_shared = ${p.isShared}, updated_at = now()
    WHERE v.id = ${p.id} RETURNING ${writtenView('v')}`,
});
