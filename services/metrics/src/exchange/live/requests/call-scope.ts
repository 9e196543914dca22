import { AsyncLocalStorage } from 'node:async_hooks';

export interface CallScope {
  target: string;
  signal: AbortSignal;
}

export const callScope = new AsyncLocalStorage<CallScope>();
