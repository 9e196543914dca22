export interface Freshness {
  foundMs: number;
  failedMs: number;
  now?: () => number;
}

/**
 * Shares one result of `find` among all callers until it expires; concurrent callers share one
 * call. A rejection counts as null; a null result is shared for `failedMs`.
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
