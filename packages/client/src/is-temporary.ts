import { RefusedError } from './unwrap';

/**
 * A failed connection counts only if the caller was `connected` before; otherwise the URL may be
 * wrong.
 */
export function isTemporary(error: unknown, connected: boolean): boolean {
  if (error instanceof RefusedError) return [429, 502, 503, 504].includes(error.status);
  // `fetch` and broken streams throw a TypeError; compared by name, because a program may have several realms.
  return connected && (error as Error | undefined)?.name === 'TypeError';
}
