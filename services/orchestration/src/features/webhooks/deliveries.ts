import { ask, newId, select, statement } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import type {
  DeliveryDetailView,
  DeliveryView,
  ListDeliveriesQuery,
  ReplayEndpointBody,
} from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { decodeCursor, page } from '../../lists/page';
import {
  insertEvents,
  resendDelivery,
  resendSince,
} from '../../state/deliveries/endpoint-deliveries';
import { lockEndpoint } from './endpoint';
import { shapeEvent } from './webhook-event';

const DELIVERY = {
  id: 'uuid',
  webhookId: 'text',
  status: 'text',
  attempts: 'int',
  nextAttemptAt: 'time?',
  attemptedAt: 'time?',
  answerStatus: 'int?',
  error: 'text?',
  durationMs: 'int?',
  createdAt: 'time',
} as const;
const NAMED = { endpointId: 'uuid', type: 'text' } as const;
const namedSql = `coalesce(d.endpoint_id, d.id) AS "endpointId", coalesce(d.event_type, '') AS type`;

export async function listDeliveries(call: Call, endpointId: string, query: ListDeliveriesQuery) {
  const [time, id] = decodeCursor(query.cursor, ['time', 'id']) ?? NEWEST;
  const before = { time: time as string, id: id as string };
  const { companyId, db } = call;
  const { limit, status = null } = query;
  const rows = await ask(db, newest, { companyId, endpointId, status, ...before, take: limit + 1 });
  return page(
    rows,
    limit,
    (row) => row as DeliveryView,
    (row) => [row.createdAt, row.id],
  );
}

const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const newest = statement('newest-deliveries', {
  takes: {
    companyId: 'uuid',
    endpointId: 'uuid',
    status: 'text?',
    time: 'time',
    id: 'uuid',
    take: 'int',
  },
  gives: { ...DELIVERY, ...NAMED },
  sql: (p) => `
    SELECT ${select(DELIVERY, 'd')}, ${namedSql} FROM delivery d
    WHERE d.company_id = ${p.companyId} AND d.endpoint_id = ${p.endpointId}
      AND (${p.status} IS NULL OR d.status = ${p.status}) AND (d.created_at, d.id) < (${p.time}, ${p.id})
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${p.take}`,
});

export async function getDelivery({ db }: Call, deliveryId: string): Promise<DeliveryDetailView> {
  const [found] = await ask(db, whole, { deliveryId });
  if (!found) throw notFound('delivery');
  return found as DeliveryDetailView;
}

const whole = statement('whole-delivery', {
  takes: { deliveryId: 'uuid' },
  gives: { ...DELIVERY, ...NAMED, body: 'text', answer: 'text?' },
  sql: ({ deliveryId }) => `
    SELECT ${select(DELIVERY, 'd')}, ${namedSql}, coalesce(d.body, '') AS body, d.answer FROM delivery d
    WHERE d.id = ${deliveryId} AND d.endpoint_id IS NOT NULL`,
});

export async function sendDelivery(call: Call, deliveryId: string): Promise<DeliveryDetailView> {
  return inTransaction(call, async (tx) => {
    const { endpointId, type } = await getDelivery(tx, deliveryId);
    await lockEnabled(tx, endpointId);
    await resendDelivery(tx, deliveryId);
    await tx.record('endpoint.delivery_resent', endpointId, { deliveryId, type });
    return getDelivery(tx, deliveryId);
  });
}

/**
 * Sends the stored events since a time again, with the same ids.
 * @throws ApiError 409 for a disabled endpoint
 */
export async function replayEndpoint(
  call: Call,
  endpointId: string,
  { since }: ReplayEndpointBody,
): Promise<{ count: number }> {
  return inTransaction(call, async (tx) => {
    await lockEnabled(tx, endpointId);
    const count = await resendSince(tx, { endpointId, since });
    await tx.record('endpoint.replayed', endpointId, { since, count });
    return { count };
  });
}

export async function testEndpoint(call: Call, endpointId: string): Promise<DeliveryDetailView> {
  return inTransaction(call, async (tx) => {
    const endpoint = await lockEnabled(tx, endpointId);
    const id = newId();
    const timestamp = tx.context.clock.now().toISOString();
    const data = { test: true, companyId: tx.companyId };
    const sentence = 'Switchyard: this is a test';
    const event = { id, type: 'issue.updated', timestamp, data, sentence } as const;
    const [deliveryId] = await insertEvents(tx, { id: endpointId, companyId: tx.companyId }, [
      { ...event, body: shapeEvent(endpoint.shape, event) },
    ]);
    await tx.record('endpoint.tested', endpointId);
    return getDelivery(tx, deliveryId as string);
  });
}

async function lockEnabled(tx: Parameters<typeof lockEndpoint>[0], endpointId: string) {
  const endpoint = await lockEndpoint(tx, endpointId);
  if (endpoint.status === 'enabled') return endpoint;
  throw conflict('conflict', 'the endpoint is disabled: set its status to enabled first');
}
