import { AsyncLocalStorage } from 'node:async_hooks';

/** What our fetch needs to know of the call that it serves; the library has no way to pass it on. */
export interface CallScope {
  target: string;
  signal: AbortSignal;
}

export const callScope = new AsyncLocalStorage<CallScope>();
