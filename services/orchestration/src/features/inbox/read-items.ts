import { ask, type Database } from '@switchyard/db';
import { INBOX_KINDS, INBOX_SEVERITIES, type InboxKind } from '@switchyard/types';
import type { Cursor } from '../../lists/page';
import type { Look } from './caller';
import { LISTS } from './groups';
import { type HiddenItems, hiddenAs } from './hidden-items';
import type { InboxItemRow } from './inbox-row';

export const CURSOR = ['int', 'time', 'mark', 'id'] as const;

export const severityAt = (kind: InboxKind) => INBOX_SEVERITIES.indexOf(INBOX_KINDS[kind]);

export const positionOf = ({ kind, since, id }: InboxItemRow): Cursor => [
  severityAt(kind),
  since,
  kind,
  id,
];

interface Wanted {
  hidden: HiddenItems;
  showsSnoozed: boolean;
  showsDismissed: boolean;
  after: Cursor | null;
  take: number;
}

export async function readItems(db: Database, look: Look, wanted: Wanted): Promise<InboxItemRow[]> {
  const [first = 0, ...after] = wanted.after ?? [];
  const items: InboxItemRow[] = [];
  for (let at = Number(first); at < INBOX_SEVERITIES.length && items.length < wanted.take; at++) {
    const start = at === first && after.length > 0 ? after : BEFORE_ALL;
    items.push(...(await readSeverity(db, look, wanted, at, start)));
  }
  return items.slice(0, wanted.take);
}

const BEFORE_ALL: Cursor = ['-infinity', '', '00000000-0000-0000-0000-000000000000'];

async function readSeverity(
  db: Database,
  look: Look,
  { hidden, showsSnoozed, showsDismissed, take }: Wanted,
  at: number,
  start: Cursor,
): Promise<InboxItemRow[]> {
  const kinds = KINDS.filter((kind) => severityAt(kind) === at);
  const except = idsOf(hidden);
  const shown = await readKinds(db, look, { kinds, ids: null, except, start, take });
  if (except.length === 0) return shown;
  const ofHidden = { kinds, ids: except, except: [], start, take: except.length * KINDS.length };
  const again = (await readKinds(db, look, ofHidden)).filter((item) => {
    const aside = hiddenAs(hidden, item);
    return !aside || (aside.until === null ? showsDismissed : showsSnoozed);
  });
  return [...shown, ...again].sort(byAge);
}

const KINDS = Object.keys(INBOX_KINDS) as InboxKind[];

export const idsOf = (hidden: HiddenItems) => [
  ...new Set([...hidden.keys()].map((itemId) => itemId.slice(itemId.indexOf(':') + 1))),
];

interface Read {
  kinds: readonly InboxKind[];
  ids: string[] | null;
  except: string[];
  start?: Cursor;
  take: number;
}

export async function readKinds(
  db: Database,
  look: Look,
  { kinds, start = BEFORE_ALL, ...which }: Read,
): Promise<InboxItemRow[]> {
  const [afterSince, afterKind, afterId] = start as [string, string, string];
  const lists = LISTS.filter((list) => list.kinds.some((kind) => kinds.includes(kind)));
  const found: InboxItemRow[] = [];
  for (const { statement } of lists) {
    const values = { ...look, ...which, kinds: [...kinds], afterSince, afterKind, afterId };
    found.push(...((await ask(db, statement, values)) as InboxItemRow[]));
  }
  return found.sort(byAge).slice(0, which.take);
}

const byAge = (one: InboxItemRow, other: InboxItemRow) => (ageOf(one) < ageOf(other) ? -1 : 1);
const ageOf = ({ since, kind, id }: InboxItemRow) => `${since} ${kind} ${id}`;
