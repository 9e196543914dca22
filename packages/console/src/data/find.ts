import { unwrap } from '@switchyard/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Schemas } from './api';
import { useCompany } from './company';

export type Found = Schemas['SearchResult'];
export const FOUND_TYPES = ['issue', 'comment', 'document', 'agent', 'project'] as const;
export type FoundType = (typeof FOUND_TYPES)[number];

export function useFind(q: string, types?: readonly FoundType[], limit = 20) {
  const { id: companyId } = useCompany();
  const words = q.trim();
  return useQuery({
    queryKey: ['search', companyId, words, types, limit],
    queryFn: ({ signal }): Promise<Found[]> =>
      unwrap(
        api.GET('/api/companies/{companyId}/search', {
          params: {
            path: { companyId },
            query: { q: words, limit, ...(types && { types: [...types] }) },
          },
          signal,
        }),
      ) as Promise<Found[]>,
    enabled: words !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

export function useSettled(text: string, milliseconds = 200): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return settled;
}
