import type { OrchestrationClient, Schemas } from './create-client';
import { signWebhook } from './sign-webhook';
import { unwrap } from './unwrap';

export interface Firing {
  secret: string;
  payload?: Record<string, unknown>;
  /** Repeating the call with the same key fires once. */
  idempotencyKey?: string;
}

/**
 * Fires a webhook whose `signingMode` is `hmac_sha256`. The signature is the credential, so the client needs no token. @throws RefusedError
 * 401 `invalid_signature` when the secret is wrong or the clock is off
 */
export async function fireWebhook(
  client: OrchestrationClient,
  publicId: string,
  { secret, payload = {}, idempotencyKey }: Firing,
): Promise<Schemas['RoutineRun']> {
  const body = JSON.stringify(payload);
  const signature = await signWebhook(secret, body);
  const header = { ...signature, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) };
  const fired = await unwrap(
    client.POST('/api/routine-triggers/public/{publicId}/fire', {
      params: { path: { publicId }, header },
      headers: { 'content-type': 'application/json' },
      body,
      // Send the signed bytes unchanged.
      bodySerializer: () => body,
    }),
  );
  return fired as Schemas['RoutineRun'];
}
