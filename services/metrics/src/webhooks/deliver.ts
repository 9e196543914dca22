import { signRequest } from '@switchyard/server';
import type { Resources } from '../resources';
import type { Webhook } from '../webhook-settings';

const BATCH = 10;
/** A call and its answer. */
const TIMEOUT_MS = 10_000;
/** How long another process leaves an event alone that this one is sending. */
const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Then it is given up: what it tells is history. */
const GIVE_UP_MS = 3 * 86_400_000;

interface Due {
  id: string;
  event_id: string;
  payload: string;
  attempts: number;
  created_at: Date;
}

/**
 * Sends what is due, one event after another. Each is sent until it is answered by 2xx, so a receiver may get one twice,
 * under the same id; a process that ends meanwhile leaves it to the next one.
 * @returns how many were delivered
 */
export async function deliverWebhooks(resources: Resources): Promise<number> {
  const { config, clock, logger } = resources;
  if (config.webhook === null) return 0;
  let delivered = 0;
  for (const event of await claimDue(resources)) {
    const error = await send(config.webhook, event, clock.now());
    await settle(resources, event, error);
    if (error === null) delivered++;
    else
      logger.warn('a webhook was not delivered', {
        event: event.event_id,
        attempt: event.attempts,
        error,
      });
  }
  return delivered;
}

async function claimDue({ clock, db }: Resources): Promise<Due[]> {
  const now = clock.now();
  const { rows } = await db.pool.query<Due>(
    `UPDATE webhook_event SET attempts = attempts + 1, next_attempt_at = $2
     WHERE id IN (SELECT id FROM webhook_event WHERE next_attempt_at <= $1
       ORDER BY next_attempt_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING id, event_id, payload, attempts, created_at`,
    [now, new Date(now.getTime() + LEASE_MS + BATCH * TIMEOUT_MS)],
  );
  return rows.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
}

/** @returns what went wrong, in words without the address: it may hold a secret of the receiver */
async function send(
  { url, key }: Webhook,
  { event_id: id, payload: body }: Due,
  at: Date,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signRequest(key, { id, at, body }) },
      body,
      // Whoever answers elsewhere is not who the operator named.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'the connection failed';
  }
}

async function settle(
  { clock, db }: Resources,
  { id, attempts, created_at }: Due,
  error: string | null,
) {
  const now = clock.now().getTime();
  if (error === null) {
    const sql =
      'UPDATE webhook_event SET next_attempt_at = NULL, delivered_at = $2, last_error = NULL WHERE id = $1';
    await db.pool.query(sql, [id, new Date(now)]);
    return;
  }
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  // Half of it at least: receivers that come back are not met by everything at once.
  const pause = longest * (0.5 + Math.random() / 2);
  const isOver = now - created_at.getTime() > GIVE_UP_MS;
  await db.pool.query(
    'UPDATE webhook_event SET next_attempt_at = $2, last_error = $3 WHERE id = $1',
    [id, isOver ? null : new Date(now + pause), error],
  );
}
