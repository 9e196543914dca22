import { askAfresh, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { SEARCH_TYPES, type SearchQuery, type SearchResultView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeMarkedCursor, markOf, page } from '../../lists/page';
import { readWordsQuery, soughtWords, WORDS, wordsQuery } from '../../lists/words-query';
import { foldOwnSearchChanges } from './fold-search-changes';
import { markWords, snippetOf } from './mark-words';

/**
 * What a company has that contains the words: first the issue that they name by its identifier, then what has all of them
 * in its title, then the rest; the newest first in each.
 */
export async function search(call: Call, query: SearchQuery): Promise<Reply<SearchResultView[]>> {
  const { q, limit } = query;
  const types = SEARCH_TYPES.filter((type) => query.types?.includes(type) ?? true);
  const mark = markOf([q, types]);
  const cursor = decodeMarkedCursor(query.cursor, ['int', 'time', 'id'], mark);
  const [afterRank, afterAt, afterId] = cursor ?? [-1, 'infinity', LAST];
  await foldOwnSearchChanges(call);
  const rows = await askAfresh(call.db, find, {
    companyId: call.companyId,
    types,
    ...readWordsQuery(q),
    identifier: q.trim().toUpperCase(),
    afterRank: afterRank as number,
    afterAt: afterAt as string,
    afterId: afterId as string,
    take: limit + 1,
  });
  const sought = soughtWords(q);
  return page(
    rows,
    limit,
    (row) => present(row, sought),
    (row) => [row.rank, row.at, row.id, mark],
  );
}

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Ranked = 'title' | 'text';

/** A comment has no title of its own. */
const typesOf = (rank: Ranked) =>
  rank === 'text' ? SEARCH_TYPES : SEARCH_TYPES.filter((type) => type !== 'comment');

/** How results are ranked, the best first. */
const RANKS = { identifier: 0, title: 1, text: 2 } as const;

/** So many entries of a type, the newest, are looked through before the index of words is read. */
const LOOKED_THROUGH = 3_000;

/** Only so much of a text is looked through for a part to show. */
const SHOWN_TEXT = 10_000;

interface Shown {
  title: string;
  text: string | null;
  issueId: string | null;
  identifier: string | null;
  issueStatus: SearchResultView['issueStatus'];
  documentKey: string | null;
}

function present(
  { type, id, at, shown }: { type: string; id: string; at: string; shown: Shown },
  sought: ReturnType<typeof soughtWords>,
): SearchResultView {
  const { title, text, ...rest } = shown;
  const { snippet, hits } = snippetOf(text ?? '', sought);
  return {
    type: type as SearchResultView['type'],
    id,
    title,
    titleHits: markWords(title, sought),
    snippet,
    snippetHits: hits,
    ...rest,
    at,
  };
}

type Parameters = Readonly<
  Record<
    | keyof typeof WORDS
    | 'companyId'
    | 'types'
    | 'identifier'
    | 'afterRank'
    | 'afterAt'
    | 'afterId'
    | 'take',
    string
  >
>;

/**
 * One SELECT for each type and rank, of which PostgreSQL leaves out those that the request or its cursor leaves out: it is
 * asked afresh. Texts are read of the rows of the page alone.
 */
const find = statement('search', {
  takes: {
    companyId: 'uuid',
    types: 'text[]',
    ...WORDS,
    identifier: 'text',
    afterRank: 'int',
    afterAt: 'time',
    afterId: 'uuid',
    take: 'int',
  },
  gives: { type: 'text', id: 'uuid', rank: 'int', at: 'time', shown: 'json' },
  sql: (p) => `
    WITH ${newestOf(p, 'title')}, titled AS MATERIALIZED (
      SELECT * FROM (${typesOf('title')
        .map((type) => entries(p, type, 'title'))
        .join(' UNION ALL ')}) found
      ORDER BY at DESC, entity_id DESC LIMIT ${p.take}
    ), full_page AS MATERIALIZED (SELECT count(*) = ${p.take} AS is_full FROM titled), ${newestOf(p, 'text')}
    SELECT hit.kind AS type, hit.entity_id AS id, hit.rank, hit.at, ${shownOf('hit')} AS shown
    FROM (
      SELECT * FROM (
        ${named(p)} UNION ALL SELECT * FROM titled
        UNION ALL ${typesOf('text')
          .map((type) => entries(p, type, 'text'))
          .join(' UNION ALL ')}
      ) found ORDER BY rank, at DESC, entity_id DESC LIMIT ${p.take}
    ) hit ORDER BY hit.rank, hit.at DESC, hit.entity_id DESC`,
});

/** The issue whose identifier was typed. */
function named(p: Parameters): string {
  return `(
    SELECT 'issue' AS kind, i.id AS entity_id, i.created_at AS at, ${RANKS.identifier} AS rank FROM issue i
    WHERE ${isNamed(p)} AND 'issue' = ANY (${p.types}) AND ${isBehind(p, 'identifier', 'i.created_at', 'i.id')})`;
}

function isNamed(p: Parameters): string {
  return `i.identifier = ${p.identifier} AND i.company_id = ${p.companyId}`;
}

/**
 * CTEs: of each type the newest entries that have the words; and page_of_…, the time of the last of them on the page where
 * they alone fill it. Nothing older is on that page.
 */
function newestOf(p: Parameters, rank: Ranked): string {
  const newest = typesOf(rank).map(
    (type) => `newest_${rank}_${type} AS MATERIALIZED (
      SELECT e.kind, e.entity_id, e.at FROM (
        SELECT * FROM search_entry e WHERE ${isMet(p, type, rank)}
        ORDER BY e.at DESC, e.entity_id DESC LIMIT ${LOOKED_THROUGH}
      ) e WHERE ${fits(p, type, rank)} ORDER BY e.at DESC, e.entity_id DESC LIMIT ${p.take}
    )`,
  );
  const times = typesOf(rank).map((type) => `SELECT at FROM newest_${rank}_${type}`);
  return `${newest.join(', ')}, page_of_${rank} AS MATERIALIZED (
      SELECT CASE WHEN count(*) = ${p.take} THEN min(at) ELSE '-infinity' END AS begins FROM (
        SELECT at FROM (${times.join(' UNION ALL ')}) every ORDER BY at DESC LIMIT ${p.take}) newest
    )`;
}

/**
 * The newest entries that have the words. The newest of all are looked through first, which is enough where words are
 * frequent, also in another type; otherwise the index of words is read, which finds them however old they are, and all of
 * them, so that they can be sorted: few, since the newest had few. PostgreSQL's own estimate of how frequent words are is
 * far off for beginnings of words, so nothing is left to it.
 */
function entries(p: Parameters, type: string, rank: Ranked): string {
  const newest = `newest_${rank}_${type}`;
  const isOfPage = `${isMet(p, type, rank)} AND e.at >= (SELECT begins FROM page_of_${rank})`;
  return `(
    WITH done AS MATERIALIZED (
      SELECT CASE WHEN count(*) = ${p.take} THEN true ELSE (
        SELECT count(*) <= ${LOOKED_THROUGH} FROM (
          SELECT FROM search_entry e WHERE ${isOfPage}
          ORDER BY e.at DESC, e.entity_id DESC LIMIT ${LOOKED_THROUGH + 1}) e
      ) END AS is_done FROM ${newest}
    )
    SELECT *, ${RANKS[rank]} AS rank FROM ${newest} WHERE (SELECT is_done FROM done)
    UNION ALL (
      SELECT *, ${RANKS[rank]} FROM (
        SELECT e.kind, e.entity_id, e.at FROM search_entry e
        WHERE ${fits(p, type, rank)} AND ${isOfPage} AND NOT (SELECT is_done FROM done) OFFSET 0
      ) all_of_them ORDER BY at DESC, entity_id DESC LIMIT ${p.take}))`;
}

function fits(p: Parameters, type: string, rank: Ranked): string {
  const query = wordsQuery(p, type);
  return [
    `${rank === 'title' ? 'e.title_words' : 'e.words'} @@ ${query}`,
    // What a title lacks, its text may have, where words are not to be there.
    ...(rank === 'title' ? [`e.words @@ ${query}`] : []),
    ...(rank === 'text' && type !== 'comment' ? [`NOT e.title_words @@ ${query}`] : []),
    ...(type === 'issue'
      ? [`e.entity_id IS DISTINCT FROM (SELECT i.id FROM issue i WHERE ${isNamed(p)})`]
      : []),
  ].join(' AND ');
}

function isMet(p: Parameters, type: string, rank: Ranked): string {
  return [
    `e.company_id = ${p.companyId} AND e.kind = '${type}' AND '${type}' = ANY (${p.types})`,
    isBehind(p, rank, 'e.at', 'e.entity_id'),
    ...(rank === 'text' ? ['NOT (SELECT is_full FROM full_page)'] : []),
  ].join(' AND ');
}

function isBehind(p: Parameters, rank: keyof typeof RANKS, at: string, id: string): string {
  return `(${p.afterRank} < ${RANKS[rank]} OR
    ${p.afterRank} = ${RANKS[rank]} AND (${at}, ${id}) < (${p.afterAt}, ${p.afterId}))`;
}

/** What is shown of a row, by its type. */
function shownOf(hit: string): string {
  const text = (sql: string) => `left(${sql}, ${SHOWN_TEXT})`;
  const json = (fields: Partial<Record<keyof Shown, string>>) => {
    const all = { issueId: 'NULL', identifier: 'NULL', issueStatus: 'NULL', documentKey: 'NULL' };
    const written = Object.entries({ ...all, ...fields });
    return `json_build_object(${written.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`;
  };
  const ofIssue = { issueId: 'i.id', identifier: 'i.identifier', issueStatus: 'i.status' };
  return `CASE ${hit}.kind
    WHEN 'issue' THEN (
      SELECT ${json({ title: 'i.title', text: text('i.description'), ...ofIssue })}
      FROM issue i WHERE i.id = ${hit}.entity_id)
    WHEN 'comment' THEN (
      SELECT ${json({ title: 'i.title', text: text('c.body'), ...ofIssue })}
      FROM issue_comment c JOIN issue i ON i.id = c.issue_id WHERE c.id = ${hit}.entity_id)
    WHEN 'document' THEN (
      SELECT ${json({ title: 'r.title', text: text('r.body'), ...ofIssue, documentKey: 'd.key' })}
      FROM issue_document d JOIN issue i ON i.id = d.issue_id
        JOIN document_revision r ON r.id = d.latest_revision_id WHERE d.id = ${hit}.entity_id)
    WHEN 'agent' THEN (
      SELECT ${json({ title: 'a.name', text: text("concat_ws(' · ', a.role, a.title, a.capabilities)") })}
      FROM agent a WHERE a.id = ${hit}.entity_id)
    ELSE (
      SELECT ${json({ title: 'p.name', text: text('p.description') })}
      FROM project p WHERE p.id = ${hit}.entity_id)
  END`;
}
