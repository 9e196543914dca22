import { ask, inSnapshot } from '@switchyard/db';
import {
  INBOX_KIND_NAMES,
  INBOX_KINDS,
  INBOX_SEVERITIES,
  type InboxCounts,
} from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { lookOf } from './caller';
import { COUNTS } from './groups';
import { hiddenAs, kindOf, readHidden } from './hidden-items';
import { idsOf, readKinds } from './read-items';
import { shareCounts } from './share-counts';

export async function countInbox(call: Call & { actor: BoardActor }): Promise<InboxCounts> {
  return shareCounts(call, lookOf(call), () => countItems(call));
}

async function countItems(call: Call & { actor: BoardActor }): Promise<InboxCounts> {
  const { all, aside } = await readCounts(call);
  const byKind = tally(
    INBOX_KIND_NAMES,
    (kind) => (all.get(kind) ?? 0) - aside.filter((item) => item.kind === kind).length,
  );
  const ofSeverity = (severity: string) =>
    INBOX_KIND_NAMES.filter((kind) => INBOX_KINDS[kind] === severity);
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  return {
    total: sum(Object.values(byKind)),
    bySeverity: tally(INBOX_SEVERITIES, (severity) =>
      sum(ofSeverity(severity).map((kind) => byKind[kind])),
    ),
    byKind,
    snoozed: aside.filter(({ until }) => until !== null).length,
    dismissed: aside.filter(({ until }) => until === null).length,
  };
}

function readCounts(call: Call & { actor: BoardActor }) {
  const look = lookOf(call);
  return inSnapshot(call.db, async (db) => {
    const all = new Map<string, number>();
    for (const count of COUNTS) {
      for (const { kind, n } of await ask(db, count, look)) {
        all.set(kind, n + (all.get(kind) ?? 0));
      }
    }
    const hidden = await readHidden(db, look);
    const ids = idsOf(hidden);
    const kinds = [...new Set([...hidden.keys()].map(kindOf))];
    const which = { kinds, ids, except: [], take: ids.length * kinds.length };
    const items = ids.length > 0 ? await readKinds(db, look, which) : [];
    const aside = items.flatMap((item) => {
      const how = hiddenAs(hidden, item);
      return how ? [{ kind: item.kind, until: how.until }] : [];
    });
    return { all, aside };
  });
}

function tally<Word extends string>(words: readonly Word[], countOf: (word: Word) => number) {
  return Object.fromEntries(words.map((word) => [word, countOf(word)])) as Record<Word, number>;
}
