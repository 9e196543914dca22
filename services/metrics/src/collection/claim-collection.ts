import { createHash } from 'node:crypto';
import { logContext } from '@switchyard/server';
import type { Context } from '../context';
import type { CollectRequest } from './collect-request';
import { collectionIdAt } from './collection-id';

/** This process's right to fill one collection; `attempt` is its fence. */
export interface Claim {
  ref: bigint;
  collectionId: string;
  attempt: number;
  capturedAt: Date;
}

/** What makes two requests the same; the time of the trigger differs between retries of one call. */
export function requestHash(request: CollectRequest): string {
  return createHash('sha256').update(request.source).digest('hex');
}

const CLAIM = `
  INSERT INTO collection (collection_id, status, source, trigger_time, correlation_id, started_at,
    lease_until, request_hash, exchange, simulated)
  VALUES ($1, 'running', $2, $3, $4, $5, now() + $6 * interval '1 millisecond', $7, $8, $9)`;
const TAKE_OVER = `
  ON CONFLICT (collection_id) DO UPDATE SET status = 'running', source = excluded.source,
    trigger_time = excluded.trigger_time, correlation_id = excluded.correlation_id,
    started_at = excluded.started_at, lease_until = excluded.lease_until, error = NULL,
    storage_status = 'pending', finished_at = NULL, request_hash = excluded.request_hash,
    exchange = excluded.exchange, simulated = excluded.simulated,
    attempt = collection.attempt + 1
  WHERE collection.status <> 'success'`;
const RETURNING = 'RETURNING id, attempt';

async function insert(
  context: Context,
  collectionId: string,
  request: CollectRequest,
  capturedAt: Date,
  conflict: string,
): Promise<Claim | null> {
  const { config, db, exchange } = context;
  const { rows } = await db.pool.query<{ id: string; attempt: number }>(
    `${CLAIM} ${conflict} ${RETURNING}`,
    [
      collectionId,
      request.source,
      request.trigger_time ?? null,
      logContext()?.correlationId ?? 'none',
      capturedAt,
      config.collectionTimeoutMs * 2,
      requestHash(request),
      exchange.name,
      exchange.simulated,
    ],
  );
  const row = rows[0];
  return row ? { ref: BigInt(row.id), collectionId, attempt: row.attempt, capturedAt } : null;
}

/** Takes a given id, also after an attempt that failed or died; null when it was collected already. */
export function claimGiven(
  context: Context,
  collectionId: string,
  request: CollectRequest,
): Promise<Claim | null> {
  return insert(context, collectionId, request, context.clock.now(), TAKE_OVER);
}

/** An id of our own making: the second, then the millisecond, until one is free. */
export async function claimGenerated(context: Context, request: CollectRequest): Promise<Claim> {
  const started = context.clock.now();
  const nothing = 'ON CONFLICT (collection_id) DO NOTHING';
  const short = collectionIdAt(started, 'second');
  const first = await insert(context, short, request, started, nothing);
  if (first) return first;
  for (let later = 0; later < 5_000; later++) {
    const id = collectionIdAt(new Date(started.getTime() + later), 'millisecond');
    const claim = await insert(context, id, request, started, nothing);
    if (claim) return claim;
  }
  throw new Error('no collection id is free in these five seconds');
}
