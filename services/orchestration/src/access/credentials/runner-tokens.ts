import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ask, type Database, statement } from '@switchyard/db';
import { unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { Authenticated, RunnerActor } from '../../kernel/actor';
import { hashToken } from '../sign-in/tokens';
import { findPodClaim, readPodCredential } from './run-pod-tickets';

/**
 * Identifies a runner by RUNNER_TOKEN, a pod's ticket or a company's token. `servesOwn` is false in
 * the public API, which rejects RUNNER_TOKEN.
 * @throws ApiError 401
 */
export async function authenticateRunner(
  { db, config }: { db: Database; config: { runner: OwnTokens } },
  request: Request,
  servesOwn: boolean,
): Promise<Authenticated> {
  const credential = /^Bearer ([^\s]{1,4096})$/i.exec(request.get('authorization') ?? '')?.[1];
  const actor =
    credential &&
    ((servesOwn && (await findOwn(db, config.runner, credential))) ||
      (await findRunner(db, credential)));
  if (!actor) {
    throw unauthenticated(
      servesOwn
        ? 'only a runner may do this: send "Authorization: Bearer <token>" with RUNNER_TOKEN or the token of a company’s runner; the token must not be revoked'
        : 'only a company’s runner may do this here: send "Authorization: Bearer <token>" with its token, which must not be revoked; runners with RUNNER_TOKEN must call the worker (WORKER_PORT)',
    );
  }
  return { actor, tokenRunId: null, pausedFor: null };
}

const OWN_RUNNER: RunnerActor = {
  type: 'runner',
  runnerId: null,
  companyId: null,
  labels: null,
  pod: null,
};

interface OwnTokens {
  token: string | null;
  oldToken: string | null;
}

async function findOwn(
  db: Database,
  { token, oldToken }: OwnTokens,
  credential: string,
): Promise<RunnerActor | null> {
  if (isOwnToken(token, credential) || isOwnToken(oldToken, credential)) return OWN_RUNNER;
  return findPod(db, credential);
}

function isOwnToken(token: string | null, credential: string): boolean {
  return token !== null && timingSafeEqual(digestOf(token), digestOf(credential));
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

async function findRunner(db: Database, credential: string): Promise<RunnerActor | null> {
  if (!credential.startsWith(PREFIX)) return null;
  const [found] = await ask(db, usableRunner, { hash: hashToken(credential) });
  if (!found) return null;
  const { runnerId, companyId, labels } = found;
  return { type: 'runner', runnerId, companyId, labels, pod: null };
}

async function findPod(db: Database, credential: string): Promise<RunnerActor | null> {
  const shown = readPodCredential(credential);
  const pod = shown && (await findPodClaim(db, shown));
  return pod && { ...OWN_RUNNER, pod };
}

const PREFIX = 'syr_';

export function newRunnerToken() {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

const usableRunner = statement('find-runner-of-token', {
  takes: { hash: 'bytes' },
  gives: { runnerId: 'uuid', companyId: 'uuid', labels: 'text[]' },
  sql: ({ hash }) => `
    SELECT id AS "runnerId", company_id AS "companyId", coalesce(labels, '{}') AS labels FROM runner
    WHERE token_hash = ${hash} AND revoked_at IS NULL`,
});
