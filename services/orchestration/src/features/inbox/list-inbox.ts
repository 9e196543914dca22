import { ask } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import type { InboxItemView, ListInboxQuery } from '@switchyard/types';
import type { BoardActor } from '../../access/actor';
import type { Call } from '../../call';
import { decodeCursor, page } from '../../lists/page';
import { lookOf } from './caller';
import { listItems } from './inbox-statement';
import { presentItem } from './present-item';

/** Everything that needs a person, as one page: what blocks first, then the oldest. */
export async function listInbox(
  call: Call & { actor: BoardActor },
  { include = [], limit, cursor }: ListInboxQuery,
): Promise<Reply<InboxItemView[]>> {
  const [afterSeverity, afterSince, afterKind, afterId] =
    decodeCursor(cursor, ['int', 'time', 'int', 'id']) ?? BEFORE_ALL;
  const rows = await ask(call.db, listItems, {
    ...lookOf(call),
    showsSnoozed: include.includes('snoozed'),
    showsDismissed: include.includes('dismissed'),
    itemId: null,
    afterSeverity: afterSeverity as number,
    afterSince: afterSince as string,
    afterKind: afterKind as number,
    afterId: afterId as string,
    take: limit + 1,
  });
  return page(
    rows,
    limit,
    (row) => presentItem(call, row),
    (row) => [row.severityAt, row.since, row.kindAt, row.id],
  );
}

/** One item, hidden or not; null when it is not, or no longer, there. */
export async function findItem(
  call: Call & { actor: BoardActor },
  itemId: string,
): Promise<InboxItemView | null> {
  const [afterSeverity, afterSince, afterKind, afterId] = BEFORE_ALL;
  const [row] = await ask(call.db, listItems, {
    ...lookOf(call),
    showsSnoozed: true,
    showsDismissed: true,
    itemId,
    afterSeverity,
    afterSince,
    afterKind,
    afterId,
    take: 1,
  });
  return row ? presentItem(call, row) : null;
}

const BEFORE_ALL = [-1, '-infinity', -1, '00000000-0000-0000-0000-000000000000'] as const;
