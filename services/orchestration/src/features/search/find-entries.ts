import { statement } from '@switchyard/db';
import type { SearchResultView } from '@switchyard/types';
import { WORDS, wordsQuery } from '../../lists/words-query';

export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const RANKS = { identifier: 0, title: 1, text: 2 } as const;

/**
 * The newest entries per type are tried before the word index, because the word index has no order.
 */
const NEWEST = 3_000;

/** Length in characters of the part of a text that is searched for an excerpt. */
const SHOWN_TEXT = 10_000;

export interface ShownEntry {
  title: string;
  text: string | null;
  issueId: string | null;
  identifier: string | null;
  issueStatus: SearchResultView['issueStatus'];
  documentKey: string | null;
}

const TAKES = {
  companyId: 'uuid',
  types: 'text[]',
  ...WORDS,
  identifier: 'text',
  afterRank: 'int',
  afterAt: 'time',
  afterId: 'uuid',
  take: 'int',
} as const;

type Parameters = Readonly<Record<keyof typeof TAKES, string>>;

/**
 * Reads only the texts of the page. All searches share one plan, because planning takes as long as
 * execution.
 */
export const findEntries = statement('search', {
  takes: TAKES,
  gives: { type: 'text', id: 'uuid', rank: 'int', at: 'time', shown: 'json?' },
  onePlan: 'indexed',
  sql: (p) => `
    WITH kinds AS MATERIALIZED (
      SELECT kind, ${wordsQuery(p, 'kind')} AS query FROM unnest(${p.types}) kind
    ), named AS MATERIALIZED (
      SELECT i.id, i.created_at FROM issue i
      WHERE i.identifier = ${p.identifier} AND i.company_id = ${p.companyId}
    ), titled AS MATERIALIZED (${entries(p, 'title', "k.kind <> 'comment'")}
    ), texts AS MATERIALIZED (${entries(p, 'text', `(SELECT count(*) < ${p.take} FROM titled)`)}
    )
    SELECT hit.kind AS type, hit.id, hit.rank, hit.at, ${shownOf('hit')} AS shown
    FROM (
      SELECT * FROM (
        SELECT 'issue' AS kind, i.id, i.created_at AS at, ${RANKS.identifier} AS rank FROM named i
        WHERE 'issue' = ANY (${p.types}) AND ${isBehind(p, 'identifier', 'i.created_at', 'i.id')}
        UNION ALL SELECT * FROM titled UNION ALL SELECT * FROM texts
      ) found ORDER BY rank, at DESC, id DESC LIMIT ${p.take}
    ) hit ORDER BY hit.rank, hit.at DESC, hit.id DESC`,
});

/**
 * SQL of the newest matching entries of each kind, at most one page. Tries the newest entries
 * first, because they fill a page if the words are frequent; otherwise sorts the matches of the
 * word index.
 */
function entries(p: Parameters, rank: 'title' | 'text', which: string): string {
  const inOrder = 'ORDER BY e.at DESC, e.entity_id DESC LIMIT';
  const isTitled = 'e.title_words @@ k.query';
  const isOfKind = `e.company_id = ${p.companyId} AND e.kind = k.kind
        AND ${isBehind(p, rank, 'e.at', 'e.entity_id')}`;
  const hasWords = rank === 'title' ? `${isTitled} AND e.words @@ k.query` : 'e.words @@ k.query';
  const isOfRank = `e.entity_id IS DISTINCT FROM (SELECT id FROM named)${
    rank === 'text' ? ` AND (${isTitled}) IS NOT TRUE` : ''
  }`;
  return `
      SELECT k.kind, found.entity_id AS id, found.at, ${RANKS[rank]} AS rank
      FROM kinds k CROSS JOIN LATERAL (
        WITH newest AS MATERIALIZED (
          SELECT e.entity_id, e.at FROM (
            SELECT * FROM search_entry e WHERE ${isOfKind} ${inOrder} ${NEWEST}
          ) e WHERE ${hasWords} AND ${isOfRank} ${inOrder} ${p.take}
        ), looked AS MATERIALIZED (
          SELECT CASE WHEN count(*) = ${p.take} THEN true ELSE (
            SELECT count(*) <= ${NEWEST} FROM (
              SELECT FROM search_entry e WHERE ${isOfKind} ${inOrder} ${NEWEST + 1}) e
          ) END AS is_enough FROM newest
        )
        SELECT * FROM newest WHERE (SELECT is_enough FROM looked)
        UNION ALL (
          SELECT e.entity_id, e.at FROM (SELECT * FROM search_entry e WHERE ${hasWords} OFFSET 0) e
          WHERE NOT (SELECT is_enough FROM looked) AND ${isOfKind} AND ${isOfRank} ${inOrder} ${p.take})
      ) found WHERE ${which} ORDER BY found.at DESC, found.entity_id DESC LIMIT ${p.take}`;
}

function isBehind(p: Parameters, rank: keyof typeof RANKS, at: string, id: string): string {
  const after = (value: string, first: string) =>
    `CASE WHEN ${p.afterRank} = ${RANKS[rank]} THEN ${value} ELSE ${first} END`;
  return `${p.afterRank} <= ${RANKS[rank]}
    AND (${at}, ${id}) < (${after(p.afterAt, "'infinity'::timestamptz")}, ${after(p.afterId, `'${LAST_ID}'::uuid`)})`;
}

function shownOf(hit: string): string {
  const text = (sql: string) => `left(${sql}, ${SHOWN_TEXT})`;
  const json = (fields: Partial<Record<keyof ShownEntry, string>>) => {
    const all = { issueId: 'NULL', identifier: 'NULL', issueStatus: 'NULL', documentKey: 'NULL' };
    const written = Object.entries({ ...all, ...fields });
    return `json_build_object(${written.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`;
  };
  const ofIssue = { issueId: 'i.id', identifier: 'i.identifier', issueStatus: 'i.status' };
  return `CASE ${hit}.kind
    WHEN 'issue' THEN (
      SELECT ${json({ title: 'i.title', text: text('i.description'), ...ofIssue })}
      FROM issue i WHERE i.id = ${hit}.id)
    WHEN 'comment' THEN (
      SELECT ${json({ title: 'i.title', text: text('c.body'), ...ofIssue })}
      FROM issue_comment c JOIN issue i ON i.id = c.issue_id WHERE c.id = ${hit}.id)
    WHEN 'document' THEN (
      SELECT ${json({ title: 'r.title', text: text('r.body'), ...ofIssue, documentKey: 'd.key' })}
      FROM issue_document d JOIN issue i ON i.id = d.issue_id
        JOIN document_revision r ON r.id = d.latest_revision_id WHERE d.id = ${hit}.id)
    WHEN 'agent' THEN (
      SELECT ${json({ title: 'a.name', text: text("concat_ws(' · ', a.role, a.title, a.capabilities)") })}
      FROM agent a WHERE a.id = ${hit}.id)
    ELSE (
      SELECT ${json({ title: 'p.name', text: text('p.description') })}
      FROM project p WHERE p.id = ${hit}.id)
  END`;
}
