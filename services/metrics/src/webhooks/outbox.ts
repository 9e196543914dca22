import { randomUUID } from 'node:crypto';
import type { Pool, Sql } from '@switchyard/db';
import { presentOwner } from '../exchange/owner';
import type { Resources } from '../resources';

type WebhookEventType =
  | 'regime.confirmed'
  | 'grid.out_of_range'
  | 'component.failed'
  | 'component.recovered';

export interface WebhookEvent {
  type: WebhookEventType;
  data: Record<string, unknown>;
}

const KEPT_MS = 7 * 86_400_000;

export async function recordEvents(
  tx: Sql,
  { config, exchange }: Resources,
  { capturedAt, collectionId }: { capturedAt: Date; collectionId: string },
  events: readonly WebhookEvent[],
): Promise<void> {
  if (config.webhook === null || events.length === 0) return;
  const { name, simulated } = exchange;
  const of = { collection_id: collectionId, ...presentOwner(name), simulated };
  const timestamp = capturedAt.toISOString();
  const payloads = events.map(({ type, data }) =>
    JSON.stringify({ type, timestamp, data: { ...of, ...data } }),
  );
  const ids = events.map(() => `evt_${randomUUID()}`);
  const types = events.map(({ type }) => type);
  await tx.query(
    `INSERT INTO webhook_event (event_id, type, payload, created_at, next_attempt_at)
     SELECT id, type, payload, $1::timestamptz, $1::timestamptz
     FROM unnest($2::text[], $3::text[], $4::text[]) AS event (id, type, payload)`,
    [capturedAt, ids, types, payloads],
  );
}

export async function forgetEvents({ clock, db }: Resources): Promise<void> {
  await db.pool.query(
    'DELETE FROM webhook_event WHERE next_attempt_at IS NULL AND created_at < $1',
    [new Date(clock.now().getTime() - KEPT_MS)],
  );
}

export interface OutboxState {
  waiting: number;
  oldest_at: Date | null;
  last_delivered_at: Date | null;
  last_error: string | null;
  given_up: number;
}

export async function outboxState(pool: Pool): Promise<OutboxState> {
  const { rows } = await pool.query<OutboxState>(
    `SELECT count(*)::int AS waiting, min(created_at) AS oldest_at,
       (array_agg(last_error ORDER BY id) FILTER (WHERE last_error IS NOT NULL))[1] AS last_error,
       (SELECT max(delivered_at) FROM webhook_event WHERE next_attempt_at IS NULL) AS last_delivered_at,
       (SELECT count(*)::int FROM webhook_event WHERE next_attempt_at IS NULL AND delivered_at IS NULL) AS given_up
     FROM webhook_event WHERE next_attempt_at IS NOT NULL`,
  );
  return rows[0] as OutboxState;
}
