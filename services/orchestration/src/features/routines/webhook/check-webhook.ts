import type { Database } from '@switchyard/db';
import { ApiError, unavailable } from '@switchyard/server';
import type { Request } from 'express';
import type { Context } from '../../../context';
import { findWebhook, type Webhook } from './find-webhook';
import { readRawBody } from './read-raw-body';
import { openTriggerSecret } from './trigger-secret';
import { type Verified, verifyWebhook } from './verify-webhook';

export interface CheckedWebhook {
  webhook: Webhook;
  body: Buffer;
  verified: Verified;
}

function secretOf(effects: Pick<Context, 'secretBox'>, webhook: Webhook): string {
  const { keyId: id, companyId, masterKeyId, wrappedKey } = webhook;
  try {
    const key = { id, companyId, masterKeyId, wrappedKey };
    return openTriggerSecret(effects.secretBox, key, webhook);
  } catch {
    throw unavailable('the secret of this trigger cannot be read now');
  }
}

async function check(
  effects: Pick<Context, 'secretBox'>,
  db: Database,
  triggerId: string,
  request: Request,
): Promise<CheckedWebhook> {
  const body = await readRawBody(request, Number(request.get('content-length') ?? 0));
  const webhook = await findWebhook(db, triggerId);
  const header = (name: string) => request.get(name);
  const trigger = { ...webhook, secret: secretOf(effects, webhook) };
  return { webhook, body, verified: verifyWebhook({ header, body }, trigger, webhook.nowMs) };
}

/**
 * Finds out over the raw bytes, and before any write, whether a request comes from the trigger's sender
 * (guarantee G17). What is refused counts against its address and what is good against its trigger, so that
 * forgers use up nothing of the true sender's rate, not even from the same address.
 * @throws ApiError 401 `invalid_signature`, 413, 429
 */
export async function checkWebhook(
  effects: Pick<Context, 'secretBox' | 'limits'>,
  db: Database,
  triggerId: string,
  request: Request,
): Promise<CheckedWebhook> {
  let checked: CheckedWebhook;
  try {
    checked = await check(effects, db, triggerId, request);
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'unavailable') {
      await effects.limits.unknown(request);
    }
    throw error;
  }
  await effects.limits.firing(checked.webhook.id);
  return checked;
}
