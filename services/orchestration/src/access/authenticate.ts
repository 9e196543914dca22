import type { Database } from '@switchyard/db';
import { unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import { type Actor, LOCAL_BOARD } from './actor';
import { findApiKeyActor, looksLikeApiKey } from './api-keys';
import { readRunToken } from './run-token';

export interface Authenticated {
  actor: Actor;
  /** The run of a run token; an API key and the board have none of their own. */
  tokenRunId: string | null;
}

const LIVE_RUN = `
  SELECT 1 FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
  WHERE r.id = $1 AND r.agent_id = $2 AND r.epoch = $3 AND r.status = 'running'
    AND a.status <> 'terminated'`;

async function actorOfRunToken(db: Database, secret: string, token: string) {
  const claims = readRunToken(secret, token);
  const { agentId, companyId, runId, epoch } = claims;
  const live = await db.rows('live-run', LIVE_RUN, [runId, agentId, epoch]);
  if (live.length === 0) throw unauthenticated('the run of this token has ended', 'token_expired');
  const actor: Actor = { type: 'agent', agentId, companyId, via: 'run_token' };
  return { actor, tokenRunId: runId };
}

/**
 * Who calls. A request without credential is the board: local trusted mode listens on loopback only.
 * A credential that is given must be good; it is never ignored.
 * @throws Refusal 401
 */
export async function authenticate(
  db: Database,
  secret: string,
  request: Request,
): Promise<Authenticated> {
  const header = request.get('authorization');
  if (header === undefined) return { actor: LOCAL_BOARD, tokenRunId: null };
  const credential = /^Bearer ([^\s]{1,4096})$/i.exec(header)?.[1];
  if (!credential) throw unauthenticated('the Authorization header must be "Bearer <credential>"');
  if (!looksLikeApiKey(credential)) return actorOfRunToken(db, secret, credential);
  const actor = await findApiKeyActor(db, credential);
  if (!actor) throw unauthenticated('the API key is not valid');
  return { actor, tokenRunId: null };
}
