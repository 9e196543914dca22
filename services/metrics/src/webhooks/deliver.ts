import {
  createConnector,
  type DelivererOptions,
  type Due,
  deliverDue,
  type Outbox,
  openDeliverer,
} from '@switchyard/deliverer';
import type { Resources } from '../resources';
import type { Webhook } from '../webhook-settings';

const LEASE_MS = 60_000;
const QUEUE = 'webhook';

interface DueEvent extends Due {
  claimedUntil: Date;
}

/**
 * Sends due events one by one until the receiver answers 2xx. An event may arrive twice with the
 * same id, e.g. if another process continues after a crash.
 * @returns how many were delivered
 */
export async function deliverWebhooks(resources: Resources): Promise<number> {
  const { webhook } = resources.config;
  return webhook === null ? 0 : deliverDue(delivererOf(resources, webhook));
}

export function openWebhooks(resources: Resources): { close(): Promise<void> } | null {
  const { webhook } = resources.config;
  return webhook === null ? null : openDeliverer(delivererOf(resources, webhook));
}

const delivererOf = (resources: Resources, webhook: Webhook): DelivererOptions<DueEvent> => ({
  outbox: outboxOf(resources, webhook),
  logger: resources.logger,
  now: () => resources.clock.now(),
  connect: (_due, signal) => createConnector({ signal, timeoutMs: 0 }),
  perQueue: 1,
});

function outboxOf({ clock, db }: Resources, { url, key }: Webhook): Outbox<DueEvent> {
  return {
    claim: async ({ except }) => {
      if (except.includes(QUEUE)) return [];
      const now = clock.now();
      const claimedUntil = new Date(now.getTime() + LEASE_MS);
      const { rows } = await db.pool.query<{
        id: string;
        event_id: string;
        payload: string;
        attempts: number;
      }>(
        `UPDATE webhook_event SET next_attempt_at = $2
         WHERE id IN (SELECT id FROM webhook_event WHERE next_attempt_at <= $1
           ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING id, event_id, payload, attempts`,
        [now, claimedUntil],
      );
      return rows.map(({ id, event_id, payload, attempts }) => ({
        ...{ id, webhookId: event_id, body: payload, attempts },
        ...{ queue: QUEUE, owner: QUEUE, url, keys: [key], claimedUntil },
      }));
    },
    settle: async ({ id, claimedUntil }, outcome) => {
      const now = clock.now().getTime();
      const isDelivered = outcome.kind === 'delivered';
      const next = outcome.kind === 'retry' ? new Date(now + outcome.afterMs) : null;
      await db.pool.query(
        `UPDATE webhook_event SET attempts = attempts + 1, next_attempt_at = $3, delivered_at = $4, last_error = $5
         WHERE id = $1 AND next_attempt_at = $2`,
        [id, claimedUntil, next, isDelivered ? new Date(now) : null, outcome.error],
      );
    },
  };
}
