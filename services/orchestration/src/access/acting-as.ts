import type { NextFunction, Request, Response } from 'express';
import { type Actor, LOCAL_BOARD } from '../kernel/actor';

export const ACTING_AS = 'X-Acting-As';

export function actAsAnonymous(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader(ACTING_AS, 'anonymous');
  next();
}

export function actingAs(actor: Actor): string {
  if (actor === LOCAL_BOARD) return 'local-board';
  if (actor.type === 'board') return `user:${actor.userId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type === 'runner') return actor.runnerId ? `runner:${actor.runnerId}` : 'runner';
  return actor.type === 'webhook' ? 'webhook' : 'anonymous';
}
