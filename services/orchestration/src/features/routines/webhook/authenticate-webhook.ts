import { ask, type Database, isId, type RowOf, statement } from '@switchyard/db';
import { conflict, notFound, unavailable } from '@switchyard/server';
import type { SigningMode } from '@switchyard/types';
import type { Request } from 'express';
import type { Authenticated } from '../../../kernel/actor';
import type { Context } from '../../../kernel/context';
import { joinsAsSql } from '../../../state/routines/active-run';
import { receiveBody } from './receive-body';
import { openTriggerSecret } from './trigger-secret';
import { verifyWebhook } from './verify-webhook';

/**
 * Verifies the raw bytes against the trigger's secret before any write. The bytes become the
 * request's body.
 * @throws ApiError 401 `invalid_signature`, 404, 409 `company_archived`, 413, 503 while the secret
 * cannot be read
 */
export async function authenticateWebhook(
  { db, secretBox }: Pick<Context, 'db' | 'secretBox'>,
  request: Request,
): Promise<Authenticated> {
  const trigger = await find(db, String(request.params.publicId));
  if (trigger.companyStatus === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const body = await receiveBody(request);
  const signingMode = trigger.signingMode as SigningMode;
  const { once: signature } = verifyWebhook(
    { header: (name) => request.get(name), body: body.bytes },
    {
      signingMode,
      secret: open(secretBox, trigger),
      replayWindowSec: trigger.replayWindowSec ?? 0,
    },
    trigger.nowMs,
  );
  request.body = body;
  const { id: triggerId, companyId, routineId, secretVersion } = trigger;
  return {
    actor: {
      type: 'webhook',
      triggerId,
      companyId,
      routineId,
      signingMode,
      secretVersion,
      signature,
      mayJoin: trigger.mayJoin === true,
    },
    tokenRunId: null,
    pausedFor: null,
  };
}

async function find(db: Database, publicId: string): Promise<Trigger> {
  const [trigger] = isId(publicId) ? await ask(db, findTrigger, { publicId }) : [];
  if (!trigger) throw notFound('trigger');
  return trigger;
}

/** One statement, because forged requests may arrive at any rate. */
const findTrigger = statement('find-webhook', {
  takes: { publicId: 'text' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    companyStatus: 'text',
    routineId: 'uuid',
    mayJoin: 'bool?',
    signingMode: 'text?',
    replayWindowSec: 'int?',
    secretVersion: 'int',
    secretCiphertext: 'bytes?',
    keyId: 'uuid',
    masterKeyId: 'text',
    wrappedKey: 'bytes',
    nowMs: 'float',
  },
  sql: ({ publicId }) => `
    SELECT t.id, t.company_id AS "companyId", c.status AS "companyStatus", t.routine_id AS "routineId",
      ${joinsAsSql('r')} IS NOT NULL AS "mayJoin",
      t.signing_mode AS "signingMode", t.replay_window_sec AS "replayWindowSec",
      t.secret_version AS "secretVersion", t.secret_ciphertext AS "secretCiphertext",
      k.id AS "keyId", k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey",
      extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"
    FROM routine_trigger t JOIN company c ON c.id = t.company_id JOIN routine r ON r.id = t.routine_id
      JOIN secret_key k ON k.id = t.secret_key_id
    WHERE t.public_id = lower(${publicId})`,
});

type Trigger = RowOf<typeof findTrigger>;

function open(secretBox: Context['secretBox'], trigger: Trigger): string {
  const { keyId: id, companyId, masterKeyId, wrappedKey } = trigger;
  const secretCiphertext = trigger.secretCiphertext ?? new Uint8Array();
  try {
    const key = { id, companyId, masterKeyId, wrappedKey };
    return openTriggerSecret(secretBox, key, { ...trigger, secretCiphertext });
  } catch {
    throw unavailable('the secret of this trigger cannot be decrypted');
  }
}
