import { newId } from '@switchyard/db';
import {
  conflict,
  forbidden,
  invalidField,
  notFound,
  Reply,
  unauthenticated,
} from '@switchyard/server';
import { callbackFields, type RoutineRunView, type SigningMode } from '@switchyard/types';
import { z } from 'zod';
import type { WebhookActor } from '../../../kernel/actor';
import { type Call, inTransaction } from '../../../kernel/call';
import { type JoiningFiring, joinActiveRun } from '../../../state/routines/join-active-run';
import { type LockedForFiring, lockForFiring } from '../../../state/routines/lock-for-firing';
import type { DeliveryTarget } from '../../callbacks/delivery-target';
import { readCallback } from '../../callbacks/request-callback';
import { fireRun } from '../firing/fire-run';
import { storeFiringCallback } from '../firing/firing-callback';
import { assertEnabled, assertFiring, refuseArchived } from '../firing/stopped';
import { type Delivery, deliveryKey, deliveryOf } from './delivery';
import type { SentBody } from './receive-body';
import { webhookPayload } from './webhook-payload';

type WebhookCall = Call & { actor: WebhookActor };

/**
 * See docs/contract.md, "Webhook signatures". URL checks of Slack and pings of GitHub do not fire
 * the trigger.
 * @throws ApiError 400 for a malformed header; 403 for a callback if an agent has the secret; 401
 * `invalid_signature`; 409 `replayed`, `trigger_disabled`, `routine_paused`, `routine_archived`,
 * `company_paused`
 */
export async function fireWebhook(
  call: WebhookCall,
  sent: SentBody,
): Promise<RoutineRunView | Reply<WebhookGreeting>> {
  const { signingMode, signature, mayJoin } = call.actor;
  const payload = webhookPayload(sent.bytes, sent.contentType, signingMode);
  const delivery = deliveryOf(signingMode, sent.header, payload);
  const greeting = greetingFor(signingMode, payload, delivery);
  if (greeting) return new Reply(greeting, { status: 200 });
  const repeated = deliveryKey(delivery, sent.bytes, call.context.clock.now().getTime());
  const firing = { payload, delivery, once: [...(signature ? [signature] : []), ...repeated] };
  const callback = callbackOf(call, sent);
  const joined = mayJoin && !callback ? await joinActiveRun(call, firing) : null;
  return (joined as RoutineRunView | null) ?? fire(call, firing, callback);
}

/** Reads the callback from headers, because the sender defines the body. */
function callbackOf(call: WebhookCall, { header }: SentBody): DeliveryTarget | null {
  const url = header('X-Service-Callback-Url');
  const secret = header('X-Service-Callback-Secret');
  if (url === undefined && secret === undefined) return null;
  const found = z.object(callbackFields).partial().safeParse({ callbackUrl: url });
  if (!found.success) throw invalidField('X-Service-Callback-Url', 'must be an http or https URL');
  return readCallback(call, { ...found.data, callbackSecret: secret });
}

async function fire(
  call: WebhookCall,
  { once, ...sent }: JoiningFiring,
  callback: DeliveryTarget | null,
): Promise<RoutineRunView> {
  const { triggerId, routineId } = call.actor;
  return inTransaction(call, async (tx) => {
    const routine = await lockForFiring(tx, routineId, { triggerId, once });
    assertFires(call.actor, routine);
    const firing = { id: newId(), triggerId, ...sent, idempotencyKey: null };
    if (callback && routine.triggerMadeByAgent) throw callbackOfAgent();
    const run = await fireRun(tx, routine, { ...firing, source: 'webhook' });
    if (callback) await storeFiringCallback(tx, callback, run);
    return run;
  });
}

const callbackOfAgent = () =>
  forbidden(
    'forbidden',
    'X-Service-Callback-Url is not allowed, because an agent created this trigger or can read its secret',
  );

/**
 * Checks the secret's version again under the routine's lock, because a rotation may have committed
 * since.
 */
function assertFires(actor: WebhookActor, routine: LockedForFiring): void {
  if (routine.secretVersion === null) throw notFound('trigger');
  if (routine.secretVersion !== actor.secretVersion) {
    throw unauthenticated(
      'the secret of the trigger has changed: sign with the new one',
      'invalid_signature',
    );
  }
  refuseArchived(routine);
  assertEnabled(routine.triggerEnabled === true);
  assertFiring(routine);
  if (!routine.isAccepted) {
    throw conflict('replayed', 'this request was already accepted', { retry: false });
  }
}

type WebhookGreeting = { challenge: string } | { message: 'pong' };

/**
 * Returns the response to a URL check: the challenge of Slack's `url_verification`
 * (https://docs.slack.dev, "Using the Request URL"), or any 200 for GitHub's `ping`. Otherwise
 * returns null.
 */
function greetingFor(
  signingMode: SigningMode,
  payload: Record<string, unknown> | null,
  delivery: Delivery | null,
): WebhookGreeting | null {
  if (signingMode === 'github' && delivery?.event === 'ping') return { message: 'pong' };
  if (signingMode !== 'slack' || payload?.type !== 'url_verification') return null;
  const { challenge } = payload;
  return typeof challenge === 'string' ? { challenge } : null;
}
