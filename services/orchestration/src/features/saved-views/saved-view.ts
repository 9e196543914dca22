import { ask, select, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { SavedViewView } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { userName } from '../../lists/row-facts';

export const SAVED_VIEW = {
  id: 'uuid',
  companyId: 'uuid',
  userId: 'text',
  name: 'text',
  screen: 'text',
  query: 'text',
  isShared: 'bool',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const writtenView = (v: string) =>
  `${select(SAVED_VIEW, v)}, ${userName(`${v}.user_id`)} AS "userName"`;

export const WRITTEN_VIEW = { ...SAVED_VIEW, userName: 'text?' } as const;

/**
 * Locks a view that the caller may see.
 * @throws ApiError 404 for another person's private view
 */
export async function lockSavedView(
  tx: Tx & { actor: BoardActor },
  viewId: string,
): Promise<SavedViewView> {
  const [view] = await ask(tx, lockView, { viewId });
  const isOwn = view?.userId === tx.actor.userId;
  if (!view || !(isOwn || view.isShared)) throw notFound('saved view');
  return { ...view, isOwn };
}

const lockView = statement('lock-saved-view', {
  takes: { viewId: 'uuid' },
  gives: WRITTEN_VIEW,
  sql: ({ viewId }) =>
    `SELECT ${writtenView('v')} FROM saved_view v WHERE v.id = ${viewId} FOR UPDATE`,
});

/** Records the name of a view only if it is shared, because everyone can read the activity. */
export const recordedView = ({
  name,
  screen,
  isShared,
}: Pick<SavedViewView, 'name' | 'screen' | 'isShared'>) =>
  isShared ? { screen, isShared, name } : { screen, isShared };
