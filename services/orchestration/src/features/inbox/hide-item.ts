import { invalidField, notFound } from '@switchyard/server';
import type { InboxItemView, SnoozeItemBody } from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { databaseTime } from '../../state/database-time';
import { lookOf } from './caller';
import { hideItem } from './hidden-items';
import type { InboxRow } from './inbox-row';
import { findItem } from './list-inbox';
import { presentItem } from './present-item';
import { readTexts } from './read-texts';

export async function snoozeItem(
  call: Call & { actor: BoardActor },
  itemId: string,
  { until }: SnoozeItemBody,
): Promise<InboxItemView> {
  const ahead = Date.parse(until) - (await databaseTime(call.db));
  if (ahead <= 0 || ahead > LONGEST_MS) {
    throw invalidField('until', 'must be in the future, within the next 100 years');
  }
  return hide(call, itemId, new Date(until).toISOString());
}

/** Prevents years of five digits, because PostgreSQL and JSON format them differently. */
const LONGEST_MS = 100 * 366 * 86_400_000;

export async function dismissItem(
  call: Call & { actor: BoardActor },
  itemId: string,
): Promise<InboxItemView> {
  return hide(call, itemId, null);
}

async function hide(
  call: Call & { actor: BoardActor },
  itemId: string,
  until: string | null,
): Promise<InboxItemView> {
  return inTransaction(call, async (tx) => {
    const item = await findItem(tx, call, itemId);
    if (!item) throw notFound('inbox item');
    const hidden = await hideItem(tx, lookOf(call), item, until);
    const [row] = await readTexts(tx, call.companyId, [item]);
    const view = presentItem(call, row as InboxRow, hidden);
    const action = until === null ? 'inbox_item.dismissed' : 'inbox_item.snoozed';
    await tx.record(action, itemId, { title: view.title, until });
    return view;
  });
}
