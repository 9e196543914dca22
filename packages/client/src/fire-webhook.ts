import type { OrchestrationClient, Schemas } from './create-client';
import { signWebhook } from './sign-webhook';
import { unwrap } from './unwrap';

export interface Firing {
  secret: string;
  payload?: Record<string, unknown>;
  idempotencyKey?: string;
}

/**
 * Fires a webhook whose `signingMode` is `hmac_sha256`. The signature authenticates the call, so no
 * token is needed.
 * @throws RefusedError 401 `invalid_signature` when the secret or the clock is wrong
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
      bodySerializer: () => body,
    }),
  );
  return fired as Schemas['RoutineRun'];
}
