import { type Database, inSnapshot } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import type { InboxItemView, InboxKind, ListInboxQuery } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { decodeCursor, page } from '../../lists/page';
import { lookOf } from './caller';
import { hiddenAs, readHidden } from './hidden-items';
import type { InboxItemRow } from './inbox-row';
import { presentItem } from './present-item';
import { CURSOR, positionOf, readItems, readKinds } from './read-items';
import { readTexts } from './read-texts';

export async function listInbox(
  call: Call & { actor: BoardActor },
  { include = [], limit, cursor }: ListInboxQuery,
): Promise<Reply<InboxItemView[]>> {
  const look = lookOf(call);
  const after = decodeCursor(cursor, CURSOR);
  return inSnapshot(call.db, async (db) => {
    const hidden = await readHidden(db, look);
    const items = await readItems(db, look, {
      hidden,
      showsSnoozed: include.includes('snoozed'),
      showsDismissed: include.includes('dismissed'),
      after,
      take: limit + 1,
    });
    const rows = await readTexts(db, call.companyId, items);
    return page(rows, limit, (row) => presentItem(call, row, hiddenAs(hidden, row)), positionOf);
  });
}

export async function findItem(
  db: Database,
  call: Call & { actor: BoardActor },
  itemId: string,
): Promise<InboxItemRow | null> {
  const [kind, id] = itemId.split(':') as [InboxKind, string];
  const which = { kinds: [kind], ids: [id], except: [], take: 1 };
  const [item = null] = await readKinds(db, lookOf(call), which);
  return item;
}
