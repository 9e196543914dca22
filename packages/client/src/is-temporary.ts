import { RefusedError } from './unwrap';

/**
 * Treats a failed connection as temporary only if the caller was `connected` before; otherwise the
 * URL may be wrong.
 */
export function isTemporary(error: unknown, connected: boolean): boolean {
  if (error instanceof RefusedError) return [429, 502, 503, 504].includes(error.status);
  // `fetch` and broken streams throw a TypeError. The name is compared, because `instanceof` fails
  // for an error of another realm.
  return connected && (error as Error | undefined)?.name === 'TypeError';
}
