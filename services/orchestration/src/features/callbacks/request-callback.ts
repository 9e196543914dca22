import { createHash } from 'node:crypto';
import { newId } from '@switchyard/db';
import { forbidden, invalidField, SIGNING_KEY_RULE, signingKey } from '@switchyard/server';
import type { CallbackFields, HandleType } from '@switchyard/types';
import type { Call, Tx } from '../../kernel/call';
import { insertCallback } from '../../state/deliveries/insert-callback';
import { assertAddress, type DeliveryTarget, sealTarget } from './delivery-target';

/**
 * Returns null without a callback.
 * @throws ApiError 400 for an invalid address or secret; 403 for an agent, because the callback
 * would bypass the agent's network rules
 */
export function readCallback(
  call: Call,
  { callbackUrl: url, callbackSecret: secret = undefined }: CallbackFields,
): DeliveryTarget | null {
  if (url === undefined) {
    if (secret === undefined) return null;
    throw invalidField('callbackSecret', 'is only valid together with callbackUrl');
  }
  if (call.actor.type === 'agent') {
    throw forbidden(
      'forbidden',
      'callbackUrl is only valid for people and their tokens, not for agents',
    );
  }
  assertAddress(call, 'callbackUrl', url);
  if (secret !== undefined && signingKey(secret) === null) {
    throw invalidField('callbackSecret', SIGNING_KEY_RULE);
  }
  return { url, secrets: secret === undefined ? [] : [{ secret, until: null }] };
}

/**
 * `awaited` is the id to wait for if it is not the handle, e.g. the active firing that a new one
 * joined.
 */
export async function storeCallback(
  tx: Tx,
  target: DeliveryTarget,
  handle: { type: HandleType; id: string },
  awaited = handle.id,
): Promise<void> {
  const { companyId } = tx;
  const id = newId();
  await insertCallback(tx, {
    ...{ id, companyId, handle, awaited },
    queue: queueOf(companyId, target.url),
    ...(await sealTarget(tx, { id, secretVersion: 1 }, target)),
  });
}

function queueOf(companyId: string, url: string): string {
  const digest = createHash('sha256')
    .update(`${companyId} ${new URL(url).host}`)
    .digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
