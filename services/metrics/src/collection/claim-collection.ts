import { createHash } from 'node:crypto';
import { logContext } from '@switchyard/server';
import type { Resources } from '../resources';
import type { CollectRequest } from './collect-contract';

export interface Claim {
  ref: bigint;
  collectionId: string;
  attempt: number;
  capturedAt: Date;
}

export function ownerOf(accounts: readonly Resources[]): Pick<Resources, 'exchange'> {
  const [first] = accounts;
  if (accounts.length === 1 && first) return { exchange: first.exchange };
  const simulated = accounts.some(({ exchange }) => exchange.simulated);
  return { exchange: { ...(first as Resources).exchange, name: SEVERAL, simulated } };
}

const SEVERAL = 'several';

/**
 * Claims the request's id, even if an earlier attempt failed or crashed. Without an id, derives one
 * from the current second or, if that id is taken, from the first free millisecond.
 * @returns null if the id was already collected
 */
export async function claimCollection(
  resources: Resources,
  request: CollectRequest,
): Promise<Claim | null> {
  const started = resources.clock.now();
  const given = request.collection_id;
  if (given) return insert(resources, given, request, started, TAKE_OVER);
  const short = collectionIdAt(started, 'second');
  const first = await insert(resources, short, request, started, KEEP);
  if (first) return first;
  for (let later = 0; later < 5_000; later++) {
    const id = collectionIdAt(new Date(started.getTime() + later), 'millisecond');
    const claim = await insert(resources, id, request, started, KEEP);
    if (claim) return claim;
  }
  throw new Error('all collection ids of the next five seconds are taken: retry later');
}

export async function markFailed(
  { db }: Resources,
  { ref, attempt }: Claim,
  error: string,
): Promise<void> {
  await db.pool.query(
    `UPDATE collection SET status = 'error', storage_status = 'failed', error = $3,
       finished_at = now(), lease_until = NULL
     WHERE id = $1 AND attempt = $2 AND status = 'running'`,
    [ref.toString(), attempt, error],
  );
}

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
const KEEP = 'ON CONFLICT (collection_id) DO NOTHING';

async function insert(
  { config, db, exchange }: Resources,
  collectionId: string,
  request: CollectRequest,
  capturedAt: Date,
  conflict: string,
): Promise<Claim | null> {
  const { rows } = await db.pool.query<{ id: string; attempt: number }>(
    `${CLAIM} ${conflict} RETURNING id, attempt`,
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

function collectionIdAt(time: Date, precision: 'second' | 'millisecond'): string {
  const digits = time.toISOString().replace(/[-:.TZ]/g, '');
  const seconds = precision === 'second' ? digits.slice(8, 14) : digits.slice(8, 17);
  return `metrics_${digits.slice(0, 8)}_${seconds}`;
}
