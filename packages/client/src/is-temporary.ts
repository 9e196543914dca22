import { RefusedError } from './unwrap';

/**
 * A failed connection only counts if the caller was `connected` before; otherwise the address may
 * be wrong.
 */
export function isTemporary(error: unknown, connected: boolean): boolean {
  if (error instanceof RefusedError) return [429, 502, 503, 504].includes(error.status);
  // fetch throws a TypeError without a connection, and so does a broken stream; compared by name, because a program may have several realms.
  return connected && (error as Error | undefined)?.name === 'TypeError';
}
