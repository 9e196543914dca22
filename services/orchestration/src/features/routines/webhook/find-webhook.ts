import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { SigningMode } from '@switchyard/types';

/** What checking a request needs, in one statement: forged requests come at any rate. */
const FIND = `
  SELECT t.id, t.company_id AS "companyId", t.routine_id AS "routineId",
    t.signing_mode AS "signingMode", t.replay_window_sec AS "replayWindowSec",
    t.secret_version AS "secretVersion", t.secret_ciphertext AS "secretCiphertext",
    k.id AS "keyId", k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey",
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"
  FROM routine_trigger t JOIN secret_key k ON k.id = t.secret_key_id
  WHERE t.id = $1::uuid`;

export interface Webhook {
  id: string;
  companyId: string;
  routineId: string;
  signingMode: SigningMode;
  replayWindowSec: number;
  secretVersion: number;
  secretCiphertext: Uint8Array;
  keyId: string;
  masterKeyId: string;
  wrappedKey: Uint8Array<ArrayBuffer>;
  nowMs: number;
}

/** @throws ApiError 404 */
export async function findWebhook(db: Database, triggerId: string): Promise<Webhook> {
  const [webhook] = await db.rows<Webhook>('find-webhook', FIND, [triggerId]);
  if (!webhook) throw notFound('trigger');
  return webhook;
}
