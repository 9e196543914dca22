export interface Freshness {
  foundMs: number;
  failedMs: number;
  now?: () => number;
}

/**
 * Shares one result of `find` among all callers, also while it is still being found, until it is no longer
 * fresh. Null and a rejection are failures, and are shared as null.
 */
export function cacheFor<T>(
  find: () => Promise<T | null>,
  { foundMs, failedMs, now = () => performance.now() }: Freshness,
): () => Promise<T | null> {
  let shared: Promise<T | null> | null = null;
  let freshUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (shared && now() < freshUntil) return shared;
    freshUntil = Number.POSITIVE_INFINITY;
    shared = find()
      .catch(() => null)
      .then((found) => {
        freshUntil = now() + (found === null ? failedMs : foundMs);
        return found;
      });
    return shared;
  };
}
