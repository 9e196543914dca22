import type { NextFunction, Request, Response } from 'express';
import { type Actor, LOCAL_BOARD } from './actor';

/** Names in every response whom its request was taken for, so that a credential that was left out shows at once. */
export const ACTING_AS = 'X-Acting-As';

/** What a request is before its credential was read, and what one without a good credential remains. */
export function actAsAnonymous(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader(ACTING_AS, 'anonymous');
  next();
}

/** `local-board`, `user:<id>`, `agent:<id>`, `runner`, `runner:<id>`, `webhook` or `anonymous`. */
export function actingAs(actor: Actor): string {
  if (actor === LOCAL_BOARD) return 'local-board';
  if (actor.type === 'board') return `user:${actor.userId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type === 'runner') return actor.runnerId ? `runner:${actor.runnerId}` : 'runner';
  return actor.type === 'webhook' ? 'webhook' : 'anonymous';
}
