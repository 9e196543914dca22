import { useNavigate, useSearch } from '@tanstack/react-router';

/** What narrows the list of runs; stands in the address, so that it can be shared and Back works. */
export interface RunFilters {
  status: readonly RunStatus[];
  agent: string | undefined;
}

export const RUN_STATUSES = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
] as const;
type RunStatus = (typeof RUN_STATUSES)[number];

export function useRunFilters() {
  const search = useSearch({ from: '/$company' });
  const navigate = useNavigate();
  const set = (changes: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: { ...search, ...changes }, replace: true });
  const status = (search.status?.split(',') ?? []).filter((each): each is RunStatus =>
    RUN_STATUSES.includes(each as RunStatus),
  );
  const filters: RunFilters = { status, agent: search.agent };
  return {
    filters,
    isFiltered: status.length > 0 || filters.agent !== undefined,
    toggleStatus(each: RunStatus) {
      const next = status.includes(each)
        ? status.filter((other) => other !== each)
        : [...status, each];
      set({ status: next.join(',') || undefined });
    },
    setAgent: (agent: string | null) => set({ agent: agent ?? undefined }),
    clear: () => void navigate({ to: '.', search: {}, replace: true }),
  };
}
