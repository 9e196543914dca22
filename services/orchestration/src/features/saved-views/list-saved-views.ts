import { Reply } from '@switchyard/server';
import type { ListSavedViewsQuery, SavedViewView } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { userName } from '../../lists/row-facts';
import { SAVED_VIEW } from './saved-view';

export async function listSavedViews(
  { db, companyId, actor }: Call & { actor: BoardActor },
  query: ListSavedViewsQuery,
): Promise<Reply<SavedViewView[]>> {
  const { userId } = actor;
  const { body, options } = await readViews(db, { ...query, companyId, userId });
  const shown = body.map((view) => ({ ...view, isOwn: view.userId === userId }));
  return new Reply(shown, options);
}

const readViews = newestFirstList('list-saved-views', {
  table: 'saved_view',
  gives: SAVED_VIEW,
  derived: { userName: ['text?', userName('listed.user_id')] },
  filters: {
    screen: 'screen',
    userId: { type: 'text', where: (userId) => `(listed.user_id = ${userId} OR listed.is_shared)` },
  },
});
