import type { IncomingMessage } from 'node:http';
import type { ForwardRequest } from '../exchange/forward-exchange';

export interface Origin {
  find(request: IncomingMessage, path: string): ForwardRequest | null;
  environment(base: string): Record<string, string>;
  close(): void;
}

export function originOf(
  origins: readonly Origin[],
  request: IncomingMessage,
  path: string,
): ForwardRequest {
  for (const origin of origins) {
    const target = origin.find(request, path);
    if (target) return target;
  }
  throw new Error('the gateway has no origin for this path');
}
