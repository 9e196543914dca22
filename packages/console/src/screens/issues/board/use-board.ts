import { unwrap } from '@switchyard/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../../data/api';
import { useCompany } from '../../../data/company';
import type { IssueStatus } from '../../../data/issue-moves';
import { useRead } from '../../../data/read';
import type { ListedIssue } from '../edit-keys';
import { filtersOf, sortOf } from '../filters/issue-filters';
import { useIssueSearch } from '../use-issue-search';
import { columnsOf } from './columns';

interface NextPage {
  status: IssueStatus;
  issues: ListedIssue[];
  next: string | undefined;
}

type Pages = Partial<Record<IssueStatus, number>>;

/** The board's columns: the first page of all in one call, and of each column as many more as were asked for. */
export function useBoard() {
  const { id: companyId } = useCompany();
  const client = useQueryClient();
  const query = useBoardQuery();
  const first = useFirstPages();
  const [pages, setPages] = usePagesOf(JSON.stringify(query));
  // No path: what changes is patched by its id, and reading fifty pages again for one change would hold up the board.
  const keyOfPage = (status: IssueStatus, cursor: string) =>
    ['a page of a column', { companyId, query: { ...query, status, cursor } }] as const;
  const wanted: { status: IssueStatus; cursor: string }[] = [];
  const nextOf = new Map<IssueStatus, string>();
  for (const { status, nextCursor } of first.data?.columns ?? []) {
    let cursor: string | null | undefined = nextCursor;
    for (let page = 0; cursor && page < (pages[status] ?? 0); page += 1) {
      wanted.push({ status, cursor });
      cursor = client.getQueryData<NextPage>(keyOfPage(status, cursor))?.next;
    }
    if (cursor) nextOf.set(status, cursor);
  }
  const more = useQueries({
    queries: wanted.map(({ status, cursor }) => ({
      queryKey: keyOfPage(status, cursor),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<NextPage> => {
        const asked = api.GET('/api/companies/{companyId}/issues', {
          params: {
            path: { companyId },
            query: { ...query, status: [status], cursor, limit: PAGE },
          },
          signal,
        });
        const issues = await unwrap(asked);
        return {
          status,
          issues,
          next: (await asked).response.headers.get('x-next-cursor') ?? undefined,
        };
      },
    })),
    combine: readPages,
  });
  const columns = useMemo(
    () => first.data && columnsOf([...first.data.columns, ...more]),
    [first.data, more],
  );
  return {
    data: columns,
    error: first.error,
    failureReason: first.failureReason,
    refetch: first.refetch,
    readMore: (status: IssueStatus) => {
      if (nextOf.has(status)) setPages({ ...pages, [status]: (pages[status] ?? 0) + 1 });
    },
  };
}

/** The first page of each column, and how many issues it has: one answer, and the only one until somebody scrolls. */
export function useFirstPages() {
  const { id: companyId } = useCompany();
  const query = { ...useBoardQuery(), limit: FIRST_PAGE };
  return useRead(
    '/api/companies/{companyId}/issues/board',
    { path: { companyId }, query },
    { keepPrevious: true },
  );
}

function useBoardQuery() {
  const { search } = useIssueSearch();
  return { ...filtersOf(search), sort: sortOf(search) };
}

/** Of each column: more than a screen shows. Seven columns of a hundred were 700 kB, for the cards of which 40 are seen. */
const FIRST_PAGE = 30;
const PAGE = 100;

const readPages = (results: readonly { data: NextPage | undefined }[]): NextPage[] =>
  results.flatMap(({ data }) => data ?? []);

/** How many pages follow the first one; none again when the filters change. */
function usePagesOf(key: string): [Pages, (pages: Pages) => void] {
  const [held, setHeld] = useState<{ key: string; pages: Pages }>({ key, pages: {} });
  return [held.key === key ? held.pages : {}, (pages) => setHeld({ key, pages })];
}
