import { ask, type Database, statement } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';
import type { Look } from './caller';
import type { InboxItemRow } from './inbox-row';

export interface HiddenItem {
  happenedAt: number;
  fingerprint: string;
  until: string | null;
  hiddenAt: string;
}

export type HiddenItems = ReadonlyMap<string, HiddenItem>;

export const kindOf = (itemId: string) => itemId.slice(0, itemId.indexOf(':')) as InboxKind;

export const itemIdOf = ({ kind, id }: InboxItemRow) => `${kind}:${id}`;

export async function readHidden(db: Database, { companyId, userId }: Look): Promise<HiddenItems> {
  const rows = await ask(db, hiddenItems, { companyId, userId });
  return new Map(rows.map(({ itemId, ...hidden }) => [itemId, hidden]));
}

export function hiddenAs(hidden: HiddenItems, item: InboxItemRow): HiddenItem | null {
  const found = hidden.get(itemIdOf(item));
  const isSame =
    found && found.happenedAt >= item.happenedAt && found.fingerprint === item.fingerprint;
  return isSame ? found : null;
}

export async function hideItem(
  db: Database,
  { companyId, userId }: Look,
  item: InboxItemRow,
  until: string | null,
): Promise<HiddenItem> {
  const { happenedAt, fingerprint } = item;
  const values = { companyId, userId, itemId: itemIdOf(item), happenedAt, fingerprint, until };
  const [row] = await ask(db, writeHidden, values);
  if (!row) throw new Error('the statement that hides an item returned no row');
  return { happenedAt, fingerprint, until, hiddenAt: row.hiddenAt };
}

const HIDDEN = {
  itemId: 'text',
  happenedAt: 'bigint',
  fingerprint: 'text',
  until: 'time?',
  hiddenAt: 'time',
} as const;

const hiddenItems = statement('hidden-inbox-items', {
  takes: { companyId: 'uuid', userId: 'text' },
  gives: HIDDEN,
  sql: (p) => `
    SELECT item_id AS "itemId", (extract(epoch FROM happened_at) * 1000000)::bigint AS "happenedAt",
      fingerprint, until, hidden_at AS "hiddenAt"
    FROM hidden_inbox_item
    WHERE company_id = ${p.companyId} AND user_id = ${p.userId} AND (until IS NULL OR until > now())`,
});

const writeHidden = statement('hide-inbox-item', {
  takes: {
    companyId: 'uuid',
    userId: 'text',
    itemId: 'text',
    happenedAt: 'bigint',
    fingerprint: 'text',
    until: 'time?',
  },
  gives: { hiddenAt: 'time' },
  sql: (p) => `
    INSERT INTO hidden_inbox_item (company_id, user_id, item_id, happened_at, fingerprint, until)
    VALUES (${p.companyId}, ${p.userId}, ${p.itemId},
      timestamptz 'epoch' + ${p.happenedAt} * interval '1 microsecond', ${p.fingerprint}, ${p.until})
    ON CONFLICT (company_id, user_id, item_id) DO UPDATE SET happened_at = excluded.happened_at,
      fingerprint = excluded.fingerprint, until = excluded.until, hidden_at = now()
    RETURNING hidden_at AS "hiddenAt"`,
});

export const showItem = statement('show-inbox-item', {
  takes: { companyId: 'uuid', userId: 'text', itemId: 'text' },
  gives: { itemId: 'text' },
  sql: (p) => `
    DELETE FROM hidden_inbox_item
    WHERE company_id = ${p.companyId} AND user_id = ${p.userId} AND item_id = ${p.itemId}
    RETURNING item_id AS "itemId"`,
});
