import { ask, newId, statement } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { type CreateSavedViewBody, MAX_SAVED_VIEWS, type SavedViewView } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { nameKey, withUniqueName } from '../../state/names/unique-names';
import { recordedView, WRITTEN_VIEW, writtenView } from './saved-view';

export async function createSavedView(
  call: Call & { actor: BoardActor },
  body: CreateSavedViewBody,
): Promise<SavedViewView> {
  const { userId } = call.actor;
  return inTransaction(call, async (tx) => {
    await assertRoom(tx, userId);
    const id = newId();
    const { companyId } = tx;
    const inserted = ask(tx, insertView, {
      ...body,
      nameKey: nameKey(body.name),
      id,
      companyId,
      userId,
    });
    const [view] = await withUniqueName('your view', body.name, inserted);
    if (!view) throw new Error('the insert of a saved view returned no row');
    await tx.record('saved_view.created', id, recordedView(view));
    return { ...view, isOwn: true };
  });
}

/** Serialises saves of one person, so that concurrent saves count each other. */
async function assertRoom(tx: Tx, userId: string): Promise<void> {
  const { companyId } = tx;
  await ask(tx, lockViewsOfPerson, { key: `saved_view:${companyId}:${userId}` });
  const [kept] = await ask(tx, countViews, { companyId, userId });
  if ((kept?.n ?? 0) < MAX_SAVED_VIEWS) return;
  const message = `you may save at most ${MAX_SAVED_VIEWS} views per company: delete one first`;
  throw conflict('conflict', message, { limit: MAX_SAVED_VIEWS });
}

const lockViewsOfPerson = statement('lock-saved-views-of-person', {
  takes: { key: 'text' },
  gives: {},
  sql: ({ key }) =>
    `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))) AS held`,
});

const countViews = statement('count-saved-views', {
  takes: { companyId: 'uuid', userId: 'text' },
  gives: { n: 'int' },
  sql: (p) => `
    SELECT count(*)::int AS n FROM saved_view
    WHERE company_id = ${p.companyId} AND user_id = ${p.userId}`,
});

const insertView = statement('insert-saved-view', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    userId: 'text',
    name: 'text',
    nameKey: 'text',
    screen: 'text',
    query: 'text',
    isShared: 'bool',
  },
  gives: WRITTEN_VIEW,
  sql: (p) => `
    INSERT INTO saved_view AS v (id, company_id, user_id, name, name_key, screen, query, is_shared)
    VALUES (${p.id}, ${p.companyId}, ${p.userId}, ${p.name}, ${p.nameKey}, ${p.screen}, ${p.query}, ${p.isShared})
    RETURNING ${writtenView('v')}`,
});
