import { createHash } from 'node:crypto';
import type { Database, Transaction } from '@switchyard/db';
import { conflict, notFound, Reply, unauthenticated } from '@switchyard/server';
import type { RoutineRunView } from '@switchyard/types';
import type { Request } from 'express';
import { keyedRequest, once } from '../../../access/idempotency';
import { type Call, inTransaction } from '../../../call';
import { fireRun } from '../firing/fire-run';
import { type Firing, insertRun, refusePausedCompany } from '../firing/insert-run';
import { lockRoutine, refuseArchived } from '../lock-routine';
import { getFiredRun } from '../routine-runs';
import { checkWebhook } from './check-webhook';
import type { Webhook } from './find-webhook';
import { slackChallenge } from './slack-challenge';
import type { Verified } from './verify-webhook';
import { webhookPayload } from './webhook-payload';

/** Each signature is good once while its timestamp is; equal requests wait here for the first one. */
async function acceptOnce(
  tx: Transaction,
  webhook: Webhook,
  { once: signed }: Verified,
): Promise<void> {
  if (!signed) return;
  const inserted = await tx.prisma.$executeRaw`
    INSERT INTO webhook_signature (company_id, trigger_id, digest, expires_at)
    VALUES (${webhook.companyId}::uuid, ${webhook.id}::uuid, ${new Uint8Array(signed.digest)},
      ${new Date(signed.expiresAt)})
    ON CONFLICT (trigger_id, digest) DO UPDATE SET expires_at = excluded.expires_at
      WHERE webhook_signature.expires_at < clock_timestamp()`;
  if (inserted === 0)
    throw conflict('replayed', 'this request was accepted before', { retry: false });
}

/** Under the routine's lock, so that what was checked before still holds: the secret may be another. */
async function assertFires(
  tx: Transaction,
  webhook: Webhook,
  routine: { status: string },
): Promise<void> {
  const trigger = await tx.prisma.routineTrigger.findUnique({
    where: { id: webhook.id },
    select: { enabled: true, secretVersion: true },
  });
  if (!trigger) throw notFound('trigger');
  if (trigger.secretVersion !== webhook.secretVersion) {
    throw unauthenticated('the secret was changed', 'invalid_signature');
  }
  refuseArchived(routine);
  if (!trigger.enabled) {
    throw conflict('trigger_disabled', 'the trigger is not enabled', { retry: false });
  }
  if (routine.status !== 'active') {
    throw conflict('routine_paused', 'the routine is paused', { retry: false });
  }
  await refusePausedCompany(tx, webhook.companyId);
}

async function accept(
  call: Call,
  webhook: Webhook,
  verified: Verified,
  payload: Firing['payload'],
): Promise<RoutineRunView> {
  return inTransaction(call, async (tx) => {
    const routine = await lockRoutine(tx, webhook.routineId);
    await assertFires(tx, webhook, routine);
    await acceptOnce(tx, webhook, verified);
    const run = await insertRun(tx, routine, {
      source: 'webhook',
      triggerId: webhook.id,
      payload,
      idempotencyKey: null,
    });
    await fireRun(tx, routine, run);
    return getFiredRun(tx, run.id);
  });
}

/**
 * Fires a webhook trigger from outside (spec, "Routines", rule 3; contract, "Behaviour" 8). A question of
 * Slack's whether the URL is ours is answered and fires nothing.
 * @throws ApiError 401 `invalid_signature`, 409 `replayed`, `trigger_disabled`, `routine_paused`,
 * `routine_archived`, `company_paused`, 413, 429
 */
export async function fireWebhook(call: Call, triggerId: string, request: Request) {
  const { webhook, body, verified } = await checkWebhook(call.context, call.db, triggerId, request);
  const payload = webhookPayload(body, request.get('content-type'));
  const challenge = slackChallenge(webhook, payload);
  if (challenge) return new Reply(challenge, { status: 200 });
  const fire = async (db: Database) =>
    new Reply(await accept({ ...call, db }, webhook, verified, payload));
  const { runTokenSecret } = call.context.config;
  const sent = createHash('sha256').update(body).digest('hex');
  const key = request.get('idempotency-key');
  const keyed = keyedRequest(runTokenSecret, call, 'POST', request.path, key, sent);
  return keyed ? once(call.db, runTokenSecret, keyed, 202, fire) : fire(call.db);
}
