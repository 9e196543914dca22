import type { SearchType } from '@switchyard/types';

const SOURCES: Record<SearchType, { from: string; at?: string; title: string; text: string }> = {
  issue: { from: 'issue o', title: "o.identifier || ' ' || o.title", text: 'o.description' },
  comment: { from: 'issue_comment o', title: 'NULL', text: 'o.body' },
  document: {
    from: 'issue_document o JOIN document_revision r ON r.id = o.latest_revision_id',
    at: 'r.created_at',
    title: 'r.title',
    text: 'r.body',
  },
  agent: {
    from: 'agent o',
    title: 'o.name',
    text: "concat_ws(' ', o.role, o.title, o.capabilities)",
  },
  project: { from: 'project o', title: 'o.name', text: 'o.description' },
};

/** Bytes of text per transaction. Indexing 50 KB takes about 10 ms. */
export const BATCH_BYTES = 200_000;

export function selectSource(type: SearchType, rest: string): string {
  const { from, at = 'o.created_at', title, text } = SOURCES[type];
  return `SELECT o.company_id, '${type}' AS kind, o.id, ${at} AS at, ${title} AS title, ${text} AS body
    FROM ${from} ${rest}`;
}

export function insertEntries(source: string): string {
  return `
    INSERT INTO search_entry (company_id, kind, entity_id, at, title_words, words)
    SELECT company_id, kind, id, at, of_title || scope,
      coalesce(of_title, '') || coalesce(search_words(body), '') || scope
    FROM ${source}
      CROSS JOIN LATERAL search_words(title) of_title
      CROSS JOIN LATERAL array_to_tsvector(ARRAY[kind || '/' || company_id]) scope
    ORDER BY kind, id
    ON CONFLICT (entity_id, kind) DO UPDATE
      SET at = excluded.at, title_words = excluded.title_words, words = excluded.words`;
}
