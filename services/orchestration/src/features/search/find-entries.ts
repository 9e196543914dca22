import { statement } from '@switchyard/db';
import { SEARCH_TYPES, type SearchResultView } from '@switchyard/types';
import { WORDS, wordsQuery } from '../../lists/words-query';

/** Behind every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Ranked = 'title' | 'text';

/** A comment has no title of its own. */
const typesOf = (rank: Ranked) =>
  rank === 'text' ? SEARCH_TYPES : SEARCH_TYPES.filter((type) => type !== 'comment');

/** How results are ranked, the best first. */
const RANKS = { identifier: 0, title: 1, text: 2 } as const;

/** So many entries of a type, the newest, are looked through before the index of words is read. */
const LOOKED_THROUGH = 3_000;

/** So many that the index of words finds are sorted, before more of the newest are looked through. */
const FEW = 3_000;
const LOOKED_THROUGH_FOR_MANY = 30_000;

/** Only so much of a text is looked through for a part to show. */
const SHOWN_TEXT = 10_000;

/** What is shown of an entry: `shown` of a row. */
export interface ShownEntry {
  title: string;
  text: string | null;
  issueId: string | null;
  identifier: string | null;
  issueStatus: SearchResultView['issueStatus'];
  documentKey: string | null;
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
 * One SELECT for each type and rank; those that the request or its cursor leaves out are not executed. To plan all of them
 * takes as long as to search, so one plan serves all: it says itself in which order what is read, and each `tsquery` is made
 * once, not for each row. Texts are read of the rows of the page alone.
 */
export const findEntries = statement('search', {
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
  gives: { type: 'text', id: 'uuid', rank: 'int', at: 'time', shown: 'json?' },
  onePlan: 'indexed',
  sql: (p) => `
    WITH ${SEARCH_TYPES.map((type) => `words_of_${type} AS MATERIALIZED (SELECT ${wordsQuery(p, type)} AS query)`).join(', ')},
    named AS MATERIALIZED (SELECT i.id, i.created_at FROM issue i
      WHERE i.identifier = ${p.identifier} AND i.company_id = ${p.companyId}),
    ${newestOf(p, 'title')}, titled AS MATERIALIZED (
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
    SELECT 'issue' AS kind, i.id AS entity_id, i.created_at AS at, ${RANKS.identifier} AS rank FROM named i
    WHERE 'issue' = ANY (${p.types}) AND ${isBehind(p, 'identifier', 'i.created_at', 'i.id')})`;
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
      ) e WHERE ${fits(type, rank)} ORDER BY e.at DESC, e.entity_id DESC LIMIT ${p.take}
    )`,
  );
  const times = typesOf(rank).map((type) => `SELECT at FROM newest_${rank}_${type}`);
  return `${newest.join(', ')}, page_of_${rank} AS MATERIALIZED (
      SELECT CASE WHEN count(*) = ${p.take} THEN min(at) ELSE '-infinity' END AS begins FROM (
        SELECT at FROM (${times.join(' UNION ALL ')}) every ORDER BY at DESC LIMIT ${p.take}) newest
    )`;
}

/**
 * The newest entries that have the words, found in the first of these ways that is enough:
 *
 * 1. The newest of all are looked through. Often others, of another type too, fill the page.
 * 2. The index of words is read, which finds them however old they are, but in no order. They are sorted, if they are few.
 * 3. Where they are many, ten times as many of the newest are looked through: the very newest were about something else.
 * 4. All that the index finds are sorted.
 *
 * PostgreSQL's own estimate of how frequent words are is far off for beginnings of words, so nothing is left to it.
 */
function entries(p: Parameters, type: string, rank: Ranked): string {
  const newest = `newest_${rank}_${type}`;
  const isOfPage = `${isMet(p, type, rank)} AND e.at >= (SELECT begins FROM page_of_${rank})`;
  const inOrder = 'ORDER BY at DESC, entity_id DESC';
  const indexed = `SELECT e.kind, e.entity_id, e.at FROM (
      SELECT * FROM search_entry e WHERE ${hasWords(type, rank)} OFFSET 0
    ) e WHERE ${[...besides(type, rank), isOfPage].join(' AND ')}`;
  return `(
    WITH done AS MATERIALIZED (
      SELECT CASE WHEN count(*) = ${p.take} THEN true ELSE (
        SELECT count(*) <= ${LOOKED_THROUGH} FROM (
          SELECT FROM search_entry e WHERE ${isOfPage}
          ORDER BY e.at DESC, e.entity_id DESC LIMIT ${LOOKED_THROUGH + 1}) e
      ) END AS is_done FROM ${newest}
    ), few AS MATERIALIZED (
      ${indexed} AND NOT (SELECT is_done FROM done) LIMIT ${FEW + 1}
    ), counted AS MATERIALIZED (
      SELECT count(*) > ${FEW} AS are_many FROM few
    ), recent AS MATERIALIZED (
      SELECT e.kind, e.entity_id, e.at FROM (
        SELECT * FROM search_entry e WHERE ${isOfPage} AND (SELECT are_many FROM counted)
        ORDER BY e.at DESC, e.entity_id DESC LIMIT ${LOOKED_THROUGH_FOR_MANY}
      ) e WHERE ${fits(type, rank)} ORDER BY e.at DESC, e.entity_id DESC LIMIT ${p.take}
    ), recently AS MATERIALIZED (
      SELECT count(*) = ${p.take} AS are_enough FROM recent
    )
    SELECT *, ${RANKS[rank]} AS rank FROM (
      SELECT * FROM ${newest} WHERE (SELECT is_done FROM done)
      UNION ALL (SELECT * FROM few WHERE NOT (SELECT are_many FROM counted) ${inOrder} LIMIT ${p.take})
      UNION ALL SELECT * FROM recent WHERE (SELECT are_enough FROM recently)
      UNION ALL (
        SELECT * FROM (
          ${indexed} AND (SELECT are_many FROM counted) AND NOT (SELECT are_enough FROM recently) OFFSET 0
        ) every ${inOrder} LIMIT ${p.take})
    ) found)`;
}

function fits(type: string, rank: Ranked): string {
  return [hasWords(type, rank), ...besides(type, rank)].join(' AND ');
}

/** What the indexes of words do not know: to ask them again would read the words of each entry that they found. */
function besides(type: string, rank: Ranked): string[] {
  return [
    ...(rank === 'text' && type !== 'comment' ? [`NOT ${has('title', type)}`] : []),
    ...(type === 'issue' ? ['e.entity_id IS DISTINCT FROM (SELECT id FROM named)'] : []),
  ];
}

/** As the indexes of words know it. What a title lacks, its text may have, where words are not to be there. */
function hasWords(type: string, rank: Ranked): string {
  return rank === 'title' ? `${has('title', type)} AND ${has('text', type)}` : has('text', type);
}

function has(rank: Ranked, type: string): string {
  return `${rank === 'title' ? 'e.title_words' : 'e.words'} @@ (SELECT query FROM words_of_${type})`;
}

function isMet(p: Parameters, type: string, rank: Ranked): string {
  return [
    `e.company_id = ${p.companyId} AND e.kind = '${type}' AND '${type}' = ANY (${p.types})`,
    isBehind(p, rank, 'e.at', 'e.entity_id'),
    ...(rank === 'text' ? ['NOT (SELECT is_full FROM full_page)'] : []),
  ].join(' AND ');
}

/** A comparison of whole rows: only by one does PostgreSQL begin inside an index. */
function isBehind(p: Parameters, rank: keyof typeof RANKS, at: string, id: string): string {
  const after = (value: string, first: string) =>
    `CASE WHEN ${p.afterRank} = ${RANKS[rank]} THEN ${value} ELSE ${first} END`;
  return `${p.afterRank} <= ${RANKS[rank]}
    AND (${at}, ${id}) < (${after(p.afterAt, "'infinity'::timestamptz")}, ${after(p.afterId, `'${LAST_ID}'::uuid`)})`;
}

/** What is shown of a row, by its type. */
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
