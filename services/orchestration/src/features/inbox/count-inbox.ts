import { ask } from '@switchyard/db';
import {
  INBOX_KIND_NAMES,
  INBOX_KINDS,
  INBOX_SEVERITIES,
  type InboxCounts,
  type InboxKind,
} from '@switchyard/types';
import type { BoardActor } from '../../access/actor';
import type { Call } from '../../call';
import { lookOf } from './caller';
import { countItems } from './inbox-statement';

/** How much needs the caller, e.g. for a badge. */
export async function countInbox(call: Call & { actor: BoardActor }): Promise<InboxCounts> {
  const rows = await ask(call.db, countItems, lookOf(call));
  const shown = new Map(rows.map((row) => [row.kind as InboxKind, row.shown]));
  const byKind = tally(INBOX_KIND_NAMES, (kind) => shown.get(kind) ?? 0);
  const ofSeverity = (severity: string) =>
    INBOX_KIND_NAMES.filter((kind) => INBOX_KINDS[kind] === severity);
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  return {
    total: sum(Object.values(byKind)),
    bySeverity: tally(INBOX_SEVERITIES, (severity) =>
      sum(ofSeverity(severity).map((kind) => byKind[kind])),
    ),
    byKind,
    snoozed: sum(rows.map((row) => row.snoozed)),
    dismissed: sum(rows.map((row) => row.dismissed)),
  };
}

function tally<Word extends string>(words: readonly Word[], countOf: (word: Word) => number) {
  return Object.fromEntries(words.map((word) => [word, countOf(word)])) as Record<Word, number>;
}
