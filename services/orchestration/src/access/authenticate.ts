import { ask, type Database, statement } from '@switchyard/db';
import { addressOf, invalidField, unauthenticated } from '@switchyard/server';
import type { Role } from '@switchyard/types';
import type { Request } from 'express';
import { type Actor, type Authenticated, type BoardActor, LOCAL_BOARD } from '../kernel/actor';
import type { Context } from '../kernel/context';
import { findApiKeyActor, looksLikeApiKey } from './api-keys';
import { misplacedCredential, SEND_BEARER } from './credentials/misplaced-credential';
import { findTokenActor, looksLikePersonalToken } from './personal-tokens';
import { readRunToken } from './run-token';
import { type Secrets, secretsOf } from './seal';
import { signInOf } from './sign-in/sign-in';

export interface Gate {
  context: Context;
  /** Requires a credential in both modes and ignores cookies; true on the agents' port. */
  bearerOnly?: boolean;
}

/**
 * Rejects an invalid credential in the header, even if the request also has a valid cookie.
 * @throws ApiError 401, or 503 while sessions cannot be read
 */
export async function authenticate(gate: Gate, request: Request): Promise<Authenticated> {
  const { db, config } = gate.context;
  const header = request.get('authorization');
  if (header === undefined) {
    return { actor: await boardOf(gate, request), tokenRunId: null, pausedFor: null };
  }
  const credential = /^Bearer ([^\s]{1,4096})$/i.exec(header)?.[1];
  if (!credential) throw unauthenticated('the Authorization header must be "Bearer <credential>"');
  if (looksLikePersonalToken(credential)) return actorOfPersonalToken(gate, request, credential);
  if (!looksLikeApiKey(credential)) {
    const secrets = secretsOf(config.runTokenSecret, config.oldRunTokenSecret);
    return actorOfRunToken(db, secrets, credential);
  }
  const found = await findApiKeyActor(db, credential, addressOf(request));
  if (!found)
    throw unauthenticated(
      'the API key is not valid: it is unknown or revoked, or its agent may not use the API; ask the board for a new key',
    );
  return { ...found, tokenRunId: null };
}

async function actorOfPersonalToken(
  { context, bearerOnly }: Gate,
  request: Request,
  token: string,
) {
  if (bearerOnly)
    throw unauthenticated(
      'this address is only for agents: send an API key or run token, not a personal access token',
    );
  const { db } = context;
  const actor = signInOf(context) && (await findTokenActor(db, token, addressOf(request)));
  if (!actor) throw unauthenticated('the personal access token is not valid');
  return { actor, tokenRunId: null, pausedFor: null };
}

/**
 * Authenticates a request without an Authorization header: in local mode (which only listens on
 * loopback) as the board, otherwise by its session cookie.
 * @throws ApiError 400 in local mode for a credential in another header or a query parameter
 */
async function boardOf({ context, bearerOnly }: Gate, request: Request): Promise<BoardActor> {
  if (bearerOnly) throw unauthenticated(`this address is only for agents: ${SEND_BEARER}`);
  const misplaced = misplacedCredential(request);
  const signIn = signInOf(context);
  if (!signIn) {
    if (misplaced !== null) throw invalidField(misplaced, `${NOT_READ}: ${SEND_BEARER}`);
    return LOCAL_BOARD;
  }
  const session = await signIn.sessions.current(request);
  const board = session && (await findBoard(context.db, session.userId));
  if (board) return board;
  const problem = misplaced === null ? 'sign in first, or' : `${misplaced}: ${NOT_READ}:`;
  throw unauthenticated(`${problem} ${SEND_BEARER}`);
}

const NOT_READ = 'a credential is not accepted here';

async function findBoard(db: Database, userId: string): Promise<BoardActor | null> {
  const rows = await ask(db, findMemberships, { userId });
  if (!rows[0]) return null;
  const roles = new Map<string, Role>();
  for (const { companyId, role } of rows) if (companyId && role) roles.set(companyId, role as Role);
  const { isAdministrator } = rows[0];
  return { type: 'board', userId, roles, isAdministrator, token: null };
}

const findMemberships = statement('find-memberships', {
  takes: { userId: 'uuid' },
  gives: { isAdministrator: 'bool', companyId: 'uuid?', role: 'text?' },
  sql: ({ userId }) => `
    SELECT p.is_administrator AS "isAdministrator", m.company_id AS "companyId", m.role
    FROM person p LEFT JOIN membership m ON m.user_id = p.id WHERE p.id = ${userId}`,
});

async function actorOfRunToken(db: Database, secrets: Secrets, token: string) {
  const claims = readRunToken(secrets, token);
  const { agentId, companyId, runId, epoch } = claims;
  const live = await ask(db, liveRun, { runId, agentId, epoch });
  if (live.length === 0) throw unauthenticated(ENDED, 'token_expired');
  const actor: Actor = { type: 'agent', agentId, companyId, via: 'run_token' };
  return { actor, tokenRunId: runId, pausedFor: null };
}

const ENDED = 'the run of this token has ended: stop now; the next run gets a new token';

const liveRun = statement('live-run', {
  takes: { runId: 'uuid', agentId: 'uuid', epoch: 'int' },
  gives: {},
  sql: ({ runId, agentId, epoch }) => `
    SELECT FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
    WHERE r.id = ${runId} AND r.agent_id = ${agentId} AND r.epoch = ${epoch} AND r.status = 'running'
      AND a.status <> 'terminated'`,
});
