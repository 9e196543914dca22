import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '@switchyard/server';
import type { SigningMode } from '@switchyard/types';

export interface SignedRequest {
  header(name: string): string | undefined;
  body: Buffer;
}

export interface Verified {
  /**
   * Digest of the signature, which must not be accepted again before `expiresAt`; null without a
   * signature.
   */
  once: { digest: Buffer; expiresAt: number } | null;
}

export function verifyWebhook(
  request: SignedRequest,
  trigger: { signingMode: SigningMode; secret: string; replayWindowSec: number },
  nowMs: number,
): Verified {
  const { signingMode, secret, replayWindowSec } = trigger;
  if (signingMode === 'bearer') return verifyBearer(request, secret);
  const { timestamp, signatures, prefix } = READERS[signingMode](request);
  const digest = createHmac('sha256', secret).update(prefix).update(request.body).digest();
  const isSigned = signatures.filter((given) => matches(given, digest)).length > 0;
  if (!isSigned) throw refuse(NO_SIGNATURE[signingMode]);
  const now = Math.floor(nowMs / 1_000);
  const signed = timestamp === null ? now : signedAt(timestamp);
  if (Math.abs(now - signed) > replayWindowSec) {
    throw refuse(`the timestamp must be within ${replayWindowSec} seconds of the current time`);
  }
  return { once: { digest, expiresAt: (signed + replayWindowSec + 1) * 1_000 } };
}

interface Claimed {
  timestamp: string | null;
  signatures: string[];
  prefix: string;
}

const MAX_SIGNATURES = 5;
const HEX_SHA256 = /^[0-9a-f]{64}$/i;

const refuse = (message: string) => unauthenticated(message, 'invalid_signature');

/** `sha256=` may precede the signature (docs/contract.md, "Webhook signatures"). */
function readOwn({ header }: SignedRequest): Claimed {
  const timestamp = header('x-service-timestamp') ?? '';
  const signature = (header('x-service-signature') ?? '').replace(/^sha256=/i, '');
  return { timestamp, signatures: [signature], prefix: `${timestamp}.` };
}

function readGithub({ header }: SignedRequest): Claimed {
  const signature = (header('x-hub-signature-256') ?? '').replace(/^sha256=/i, '');
  return { timestamp: null, signatures: [signature], prefix: '' };
}

function readStripe({ header }: SignedRequest): Claimed {
  const parts = (header('stripe-signature') ?? '').split(',').slice(0, 20);
  const valuesOf = (name: string) =>
    parts.flatMap((part) => {
      const [key, value] = part.trim().split('=', 2);
      return key === name && value !== undefined ? [value] : [];
    });
  const timestamp = valuesOf('t')[0] ?? '';
  return {
    timestamp,
    signatures: valuesOf('v1').slice(0, MAX_SIGNATURES),
    prefix: `${timestamp}.`,
  };
}

function readSlack({ header }: SignedRequest): Claimed {
  const timestamp = header('x-slack-request-timestamp') ?? '';
  const signature = (header('x-slack-signature') ?? '').replace(/^v0=/, '');
  return { timestamp, signatures: [signature], prefix: `v0:${timestamp}:` };
}

const READERS = {
  hmac_sha256: readOwn,
  github: readGithub,
  stripe: readStripe,
  slack: readSlack,
} satisfies Record<Exclude<SigningMode, 'bearer'>, (request: SignedRequest) => Claimed>;

function signedAt(timestamp: string): number {
  if (!/^\d{1,16}$/.test(timestamp)) throw refuse('the timestamp is required, in Unix seconds');
  const value = Number(timestamp);
  return value >= 100_000_000_000 ? Math.floor(value / 1_000) : value;
}

function isSecret(given: string, secret: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

function verifyBearer({ header }: SignedRequest, secret: string): Verified {
  const given = /^Bearer +(\S{1,4096})$/i.exec(header('authorization') ?? '')?.[1];
  if (given === undefined || !isSecret(given, secret)) throw refuse(NO_BEARER);
  return { once: null };
}

const NO_BEARER =
  'the secret is missing or not valid: send the secret of the trigger as "Authorization: Bearer <secret>"';

const WRONG = 'the signature is missing or not valid';

const NO_SIGNATURE = {
  hmac_sha256: `${WRONG}: sign the timestamp, "." and the raw body with the secret of the trigger, and send X-Service-Timestamp and X-Service-Signature`,
  github: `${WRONG}: the trigger expects X-Hub-Signature-256, as GitHub sends it`,
  stripe: `${WRONG}: the trigger expects Stripe-Signature, as Stripe sends it`,
  slack: `${WRONG}: the trigger expects X-Slack-Signature and X-Slack-Request-Timestamp, as Slack sends them`,
} satisfies Record<keyof typeof READERS, string>;

function matches(given: string, expected: Buffer): boolean {
  return HEX_SHA256.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
