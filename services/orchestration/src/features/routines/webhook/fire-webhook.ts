import { newId } from '@switchyard/db';
import { conflict, notFound, Reply, unauthenticated } from '@switchyard/server';
import type { RoutineRunView } from '@switchyard/types';
import type { WebhookActor } from '../../../access/actor';
import { type Call, inTransaction } from '../../../call';
import { joinActiveRun } from '../../../state/routines/join-active-run';
import { type LockedForFiring, lockForFiring } from '../../../state/routines/lock-for-firing';
import { fireRun } from '../firing/fire-run';
import { assertCompanyActive, assertEnabled, refuseArchived } from '../firing/stopped';
import type { SentBody } from './receive-body';
import { slackChallenge } from './slack-challenge';
import { webhookPayload } from './webhook-payload';

type WebhookCall = Call & { actor: WebhookActor };

/**
 * Fires a routine for the sender of a webhook (docs/contract.md, "Webhook signatures"). Slack's question whether the URL
 * is ours is answered and fires nothing.
 * @throws ApiError 401 `invalid_signature`, 409 `replayed`, `trigger_disabled`, `routine_paused`, `routine_archived`,
 * `company_paused`
 */
export async function fireWebhook(
  call: WebhookCall,
  sent: SentBody,
): Promise<RoutineRunView | Reply<{ challenge: string }>> {
  const payload = webhookPayload(sent.bytes, sent.contentType);
  const challenge = slackChallenge(call.actor, payload);
  if (challenge) return new Reply(challenge, { status: 200 });
  const joined = call.actor.mayJoin ? await joinActiveRun(call, payload) : null;
  return (joined as RoutineRunView | null) ?? fire(call, payload);
}

async function fire(
  call: WebhookCall,
  payload: Record<string, unknown> | null,
): Promise<RoutineRunView> {
  const { triggerId, routineId, signature } = call.actor;
  return inTransaction(call, async (tx) => {
    const routine = await lockForFiring(tx, routineId, { triggerId, signature });
    assertFires(call.actor, routine);
    const firing = { id: newId(), triggerId, payload, idempotencyKey: null };
    return fireRun(tx, routine, { ...firing, source: 'webhook' });
  });
}

/** Under the routine's lock, so that what was checked before still holds: the secret may be another. */
function assertFires(actor: WebhookActor, routine: LockedForFiring): void {
  if (routine.secretVersion === null) throw notFound('trigger');
  if (routine.secretVersion !== actor.secretVersion) {
    throw unauthenticated('the secret was changed', 'invalid_signature');
  }
  refuseArchived(routine);
  assertEnabled(routine.triggerEnabled === true);
  if (routine.status !== 'active') {
    throw conflict('routine_paused', 'the routine is paused: a person sets its status to active', {
      retry: false,
    });
  }
  assertCompanyActive(routine.companyStatus);
  if (actor.signature && !routine.isAccepted) {
    throw conflict('replayed', 'this request was accepted before', { retry: false });
  }
}
