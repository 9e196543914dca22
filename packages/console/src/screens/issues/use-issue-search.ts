import { useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router';
import { FILTERS, type Search } from './filters/issue-filters';

export function useIssueSearch() {
  const search: Search = useRouterSearch({ from: '/$company' });
  const navigate = useNavigate();
  return {
    search,
    change: (changes: Search, { replace = false } = {}) =>
      void navigate({
        to: '.',
        search: { ...search, ...changes } as Record<string, string | undefined>,
        replace,
      }),
    clear: () => {
      const kept = Object.entries(search).filter(
        ([name]) => !FILTERS.some((each) => each === name),
      );
      void navigate({ to: '.', search: Object.fromEntries(kept) });
    },
  };
}
