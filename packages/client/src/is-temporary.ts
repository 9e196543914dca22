import { RefusedError } from './unwrap';

/**
 * Whether a later call may succeed: too many requests, or a service that is being restarted. A connection that fails
 * counts only for who was `connected` before; until then the address may be wrong.
 */
export function isTemporary(error: unknown, connected: boolean): boolean {
  if (error instanceof RefusedError) return [429, 502, 503, 504].includes(error.status);
  // What fetch throws when there is no connection, and a stream when it breaks; by name, because a program may have
  // several realms.
  return connected && (error as Error | undefined)?.name === 'TypeError';
}
