import type { IncomingMessage } from 'node:http';
import type { Passage } from '../exchange/pass-on';

/** Something that the gateway serves under its own address. */
export interface Origin {
  /** Null when the path is another's. @throws Refusal for a request that may not pass */
  find(request: IncomingMessage, path: string): Passage | null;
  /** What the agent's processes need to know of it. */
  environment(base: string): Record<string, string>;
  /** Ends its connections. */
  close(): void;
}

/** The last one takes every path. @throws Refusal */
export function originOf(
  origins: readonly Origin[],
  request: IncomingMessage,
  path: string,
): Passage {
  for (const origin of origins) {
    const passage = origin.find(request, path);
    if (passage) return passage;
  }
  throw new Error('no origin takes every path');
}
