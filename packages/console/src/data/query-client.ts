import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isOffline, RefusedError } from './api';

/**
 * Answers stay fresh until the event stream invalidates them, so queries do not poll or refetch on
 * focus. A 4xx is final; requests to an unreachable service are repeated until it answers.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
      retry: (_count, error) => isOffline(error) || isUnavailable(error),
      retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const isUnavailable = (error: unknown) =>
  error instanceof RefusedError && [429, 502, 503, 504].includes(error.status);

function signInAgain(error: unknown): void {
  if (!(error instanceof RefusedError) || error.status !== 401) return;
  const here = location.pathname + location.search;
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}
