export interface Freshness {
  foundMs: number;
  /** After a failure the next caller tries again sooner. */
  failedMs: number;
  /** Milliseconds that only grow. */
  now?: () => number;
}

/**
 * Makes all callers of a moment share one answer of `find`, also while it is still being found. A null
 * is a failure.
 */
export function shareBriefly<T>(
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
