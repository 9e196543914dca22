import { ask } from '@switchyard/db';
import { Reply } from '@switchyard/server';
import { SEARCH_TYPES, type SearchQuery, type SearchResultView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeMarkedCursor, markOf, page } from '../../lists/page';
import { readWordsQuery, searchedWords } from '../../lists/words-query';
import { findEntries, LAST_ID, type ShownEntry } from './find-entries';
import { foldOwnSearchChanges } from './fold-search-changes';
import { markWords, snippetOf } from './mark-words';

export async function search(call: Call, query: SearchQuery): Promise<Reply<SearchResultView[]>> {
  const { q, limit } = query;
  const types = SEARCH_TYPES.filter((type) => query.types?.includes(type) ?? true);
  const mark = markOf([q, types]);
  const cursor = decodeMarkedCursor(query.cursor, ['int', 'time', 'id'], mark);
  const [afterRank, afterAt, afterId] = cursor ?? [-1, 'infinity', LAST_ID];
  await foldOwnSearchChanges(call);
  const rows = await ask(call.db, findEntries, {
    companyId: call.companyId,
    types,
    ...readWordsQuery(q),
    identifier: q.trim().toUpperCase(),
    afterRank: afterRank as number,
    afterAt: afterAt as string,
    afterId: afterId as string,
    take: limit + 1,
  });
  const sought = searchedWords(q);
  const found = page(
    rows,
    limit,
    (row) => (row.shown === null ? null : present(row, sought)),
    (row) => [row.rank, row.at, row.id, mark],
  );
  return new Reply(
    found.body.filter((each) => each !== null),
    found.options,
  );
}

function present(
  { type, id, at, shown }: { type: string; id: string; at: string; shown: ShownEntry },
  sought: ReturnType<typeof searchedWords>,
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
