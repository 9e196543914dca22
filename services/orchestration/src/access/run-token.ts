import { createSecretKey, type KeyObject } from 'node:crypto';
import { unauthenticated } from '@switchyard/server';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { Secrets } from './seal';

const ISSUER = 'switchyard';
const AUDIENCE = 'switchyard-api';

const claims = z.object({
  sub: z.uuid(),
  company_id: z.uuid(),
  run_id: z.uuid(),
  epoch: z.int(),
});

/**
 * Passes a key object, because jsonwebtoken first tries to parse a string as a public key, and this
 * takes longer than the verification.
 */
const keyOf = (secret: string): KeyObject => createSecretKey(secret, 'utf8');

export interface RunTokenClaims {
  agentId: string;
  companyId: string;
  runId: string;
  epoch: number;
}

/**
 * `lifetimeSec` is an upper bound: the token ends with its run (docs/contract.md, "Errors").
 */
export function signRunToken(secret: string, run: RunTokenClaims, lifetimeSec: number): string {
  return jwt.sign(
    { company_id: run.companyId, run_id: run.runId, epoch: run.epoch },
    keyOf(secret),
    {
      algorithm: 'HS256',
      subject: run.agentId,
      issuer: ISSUER,
      audience: AUDIENCE,
      expiresIn: lifetimeSec,
    },
  );
}

export function readRunToken([secret, ...old]: Secrets, token: string): RunTokenClaims {
  try {
    const payload = claims.parse(
      jwt.verify(token, keyOf(secret), {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
      }),
    );
    return {
      agentId: payload.sub,
      companyId: payload.company_id,
      runId: payload.run_id,
      epoch: payload.epoch,
    };
  } catch (error) {
    const [next, ...rest] = old;
    if (next !== undefined && !(error instanceof jwt.TokenExpiredError)) {
      return readRunToken([next, ...rest], token);
    }
    if (error instanceof jwt.TokenExpiredError) {
      throw unauthenticated('the run token has expired', 'token_expired');
    }
    throw unauthenticated(
      'the credential is not valid: it must be an API key (swy_…), a personal access token (syp_…) or a run token of this installation',
    );
  }
}
