import { unwrap } from '@switchyard/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../../../data/api';
import { useCompany } from '../../../data/company';
import type { IssueStatus } from '../../../data/issue-moves';
import { COLUMN_PAGE } from '../../../data/live/touches';
import { useRead } from '../../../data/read';
import type { ListedIssue } from '../edit-keys';
import { filtersOf, sortOf } from '../filters/issue-filters';
import { useIssueSearch } from '../use-issue-search';
import { type Counted, columnsOf } from './columns';

interface NextPage {
  status: IssueStatus;
  issues: ListedIssue[];
  next: string | undefined;
}

type WantedPage = Pick<NextPage, 'status'> & { cursor: string };

type Pages = Partial<Record<IssueStatus, number>>;

export function useBoard() {
  const { id: companyId } = useCompany();
  const client = useQueryClient();
  const query = useBoardQuery();
  const first = useFirstPages();
  const [pages, setPages] = usePagesOf(JSON.stringify(query));
  // Events refetch queries whose key is a path. This key is not a path, so that an event does not
  // refetch up to fifty pages.
  const keyOfPage = (status: IssueStatus, cursor: string) =>
    [COLUMN_PAGE, { companyId, query: { ...query, status, cursor } }] as const;
  const wanted: WantedPage[] = [];
  const nextOf = new Map<IssueStatus, string>();
  for (const { status, nextCursor } of first.data?.columns ?? []) {
    let cursor: string | null | undefined = nextCursor;
    for (let page = 0; cursor && page < (pages[status] ?? 0); page += 1) {
      wanted.push({ status, cursor });
      cursor = client.getQueryData<NextPage>(keyOfPage(status, cursor))?.next;
    }
    if (cursor) nextOf.set(status, cursor);
  }
  const asked = useUntilWhole(
    wanted,
    JSON.stringify(query),
    ({ status, cursor }) => client.getQueryState(keyOfPage(status, cursor))?.data === undefined,
  );
  const more = useQueries({
    queries: asked.map(({ status, cursor }) => ({
      queryKey: keyOfPage(status, cursor),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<NextPage> => {
        const answer = api.GET('/api/companies/{companyId}/issues', {
          params: {
            path: { companyId },
            query: { ...query, status: [status], cursor, limit: PAGE },
          },
          signal,
        });
        const issues = await unwrap(answer);
        return {
          status,
          issues,
          next: (await answer).response.headers.get('x-next-cursor') ?? undefined,
        };
      },
    })),
    combine: readPages,
  });
  const counted = useCounted(more, first.dataUpdatedAt);
  const columns = useMemo(
    () => first.data && columnsOf([...first.data.columns, ...more], counted),
    [first.data, more, counted],
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

/**
 * More cards per column than a screen shows. With 100 cards for each of seven columns the page took
 * 700 kB, although only 40 cards were visible.
 */
const FIRST_PAGE = 30;
const PAGE = 100;

const readPages = (results: readonly { data: NextPage | undefined }[]): NextPage[] =>
  results.flatMap(({ data }) => data ?? []);

function usePagesOf(key: string): [Pages, (pages: Pages) => void] {
  const [held, setHeld] = useState<{ key: string; pages: Pages }>({ key, pages: {} });
  return [held.key === key ? held.pages : {}, (pages) => setHeld({ key, pages })];
}

/**
 * Returns the requested pages, or the previous pages until the new ones are complete. A change in a
 * first page moves the start of the following pages, so these are read again in order.
 */
function useUntilWhole(
  wanted: readonly WantedPage[],
  key: string,
  isMissing: (page: WantedPage) => boolean,
): readonly WantedPage[] {
  const before = useRef<{ key: string; pages: readonly WantedPage[] }>({ key, pages: [] });
  const isWhole = !wanted.some(isMissing);
  useEffect(() => {
    if (isWhole) before.current = { key, pages: wanted };
  });
  if (isWhole || before.current.key !== key) return wanted;
  const known = new Set(wanted.map(({ cursor }) => cursor));
  return [...wanted, ...before.current.pages.filter(({ cursor }) => !known.has(cursor))];
}

function useCounted(more: readonly NextPage[], readAt: number): Counted {
  const counted = useRef({ readAt, statuses: new Map<string, IssueStatus>() });
  if (counted.current.readAt !== readAt) {
    const issues = more.flatMap((page) => page.issues);
    counted.current = { readAt, statuses: new Map(issues.map(({ id, status }) => [id, status])) };
  }
  return counted.current.statuses;
}
