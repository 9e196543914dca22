import {
  type ListPath as ClientListPath,
  type ListItem,
  type paths,
  unwrap,
} from '@switchyard/client';
import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './api';

type JsonOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type ReadPath = {
  [Path in keyof paths]: paths[Path] extends { get: object }
    ? JsonOf<paths[Path]['get']> extends never
      ? never
      : Path
    : never;
}[keyof paths];

export type ListPath = Extract<ReadPath, ClientListPath>;

export type Answer<Path extends ReadPath> = paths[Path] extends { get: infer Operation }
  ? JsonOf<Operation>
  : never;

type Params<Path extends ReadPath> = paths[Path] extends {
  get: { parameters: infer Parameters };
}
  ? Omit<Parameters, 'cookie' | 'header'>
  : never;

export const keyOf = <Path extends ReadPath>(path: Path, params: Params<Path>) =>
  [path, params] as const;

interface ReadOptions {
  enabled?: boolean;
  staleTime?: number;
  keepPrevious?: boolean;
}

interface ReadOnceOptions<Data> extends ReadOptions {
  /** Polling interval in ms while a page shows data that no event announces; false to disable. */
  rereadMs?: (data: Data) => number | false;
}

export function useRead<Path extends ReadPath>(
  path: Path,
  params: Params<Path>,
  { keepPrevious, rereadMs, ...options }: ReadOnceOptions<Answer<Path>> = {},
): UseQueryResult<Answer<Path>, Error> {
  return useQuery<Answer<Path>, Error>({
    queryKey: keyOf(path, params),
    queryFn: ({ signal }) => get(path, params, signal).then(({ data }) => data),
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
    ...(rereadMs && {
      refetchInterval: ({ state: { data } }) => data !== undefined && rereadMs(data),
    }),
    ...options,
  });
}

export function usePages<Path extends ListPath>(
  path: Path,
  params: Params<Path>,
  { keepPrevious, ...options }: ReadOptions = {},
): UseInfiniteQueryResult<unknown, Error> & { items: ListItem<Path>[] | undefined } {
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(path, params), 'pages'] as const,
    queryFn: async ({ signal, pageParam }) => {
      const asked = params as { query?: object };
      const query = { ...asked.query, ...(pageParam && { cursor: pageParam }) };
      const { data, next } = await get(
        path,
        { ...asked, query } as unknown as Params<Path>,
        signal,
      );
      return { items: data as ListItem<Path>[], next };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...options,
  });
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items), [pages.data]);
  return { ...pages, items } as never;
}

export function useWhole<Path extends ListPath>(
  path: Path,
  params: Params<Path>,
  options: Pick<ReadOptions, 'enabled'> = {},
): UseQueryResult<ListItem<Path>[], Error> {
  return useQuery<ListItem<Path>[], Error>({
    queryKey: [...keyOf(path, params), 'whole'],
    queryFn: async ({ signal }) => {
      const asked = params as { query?: object };
      const items: ListItem<Path>[] = [];
      let cursor: string | undefined;
      do {
        const query = { ...asked.query, limit: LARGEST_PAGE, ...(cursor && { cursor }) };
        const page = await get(path, { ...asked, query } as unknown as Params<Path>, signal);
        items.push(...(page.data as ListItem<Path>[]));
        cursor = page.next;
      } while (cursor);
      return items;
    },
    ...options,
  });
}

const LARGEST_PAGE = 500;

async function get<Path extends ReadPath>(path: Path, params: Params<Path>, signal: AbortSignal) {
  const asked = api.GET(path as '/api/companies', { params, signal } as never);
  const data = (await unwrap(asked)) as unknown as Answer<Path>;
  return { data, next: (await asked).response.headers.get('x-next-cursor') ?? undefined };
}
