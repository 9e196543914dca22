import type { IncomingMessage } from 'node:http';
import type { ForwardRequest } from '../exchange/pass-on';

export interface Origin {
  /** Null for another origin's path. @throws Refusal for a forbidden request */
  find(request: IncomingMessage, path: string): ForwardRequest | null;
  environment(base: string): Record<string, string>;
  close(): void;
}

/** The last one accepts every path. @throws Refusal */
export function originOf(
  origins: readonly Origin[],
  request: IncomingMessage,
  path: string,
): ForwardRequest {
  for (const origin of origins) {
    const passage = origin.find(request, path);
    if (passage) return passage;
  }
  throw new Error('no origin takes every path');
}
