import { ask, type Database, inSnapshot } from '@switchyard/db';
import {
  INBOX_KIND_NAMES,
  INBOX_KINDS,
  INBOX_SEVERITIES,
  type InboxCounts,
} from '@switchyard/types';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { type Look, lookOf } from './caller';
import { OWN_COUNT, SHARED_COUNTS } from './groups';
import { hiddenAs, kindOf, readHidden } from './hidden-items';
import { idsOf, readKinds } from './read-items';
import { type KindCounts, shareCounts } from './share-counts';

export async function countInbox(call: Call & { actor: BoardActor }): Promise<InboxCounts> {
  const look = lookOf(call);
  return shareCounts(
    call,
    look,
    () => inSnapshot(call.db, (db) => countKinds(db, SHARED_COUNTS, look)),
    (shared) => inSnapshot(call.db, (db) => countForPerson(db, look, shared)),
  );
}

async function countForPerson(db: Database, look: Look, shared: KindCounts): Promise<InboxCounts> {
  const all = new Map([...shared, ...(await countKinds(db, [OWN_COUNT], look))]);
  const aside = await readAside(db, look);
  const byKind = tally(INBOX_KIND_NAMES, (kind) =>
    Math.max(0, (all.get(kind) ?? 0) - aside.filter((item) => item.kind === kind).length),
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

async function countKinds(
  db: Database,
  statements: readonly (typeof OWN_COUNT)[],
  look: Look,
): Promise<KindCounts> {
  const all = new Map<string, number>();
  for (const count of statements) {
    for (const { kind, n } of await ask(db, count, look)) all.set(kind, n + (all.get(kind) ?? 0));
  }
  return all;
}

async function readAside(db: Database, look: Look) {
  const hidden = await readHidden(db, look);
  const ids = idsOf(hidden);
  if (ids.length === 0) return [];
  const kinds = [...new Set([...hidden.keys()].map(kindOf))];
  const which = { kinds, ids, except: [], take: ids.length * kinds.length };
  return (await readKinds(db, look, which)).flatMap((item) => {
    const how = hiddenAs(hidden, item);
    return how ? [{ kind: item.kind, until: how.until }] : [];
  });
}

function tally<Word extends string>(words: readonly Word[], countOf: (word: Word) => number) {
  return Object.fromEntries(words.map((word) => [word, countOf(word)])) as Record<Word, number>;
}
