import { errorFields, isPassingFault } from '@switchyard/server';
import type { z } from 'zod';
import type { Context } from '../context';
import { type Claim, claimGenerated, claimGiven, requestHash } from './claim-collection';
import type { CollectRequest, collectFailure } from './collect-request';
import { withCollectionLock } from './collection-lock';
import { within } from './collection-turns';
import { gather } from './gather';
import { presentSuccess } from './present-success';
import { findRecentAnswer } from './recent-answer';
import { storeCollection } from './store-collection';

export interface Collected {
  status: 200 | 500;
  /** JSON text: a repeated request gets the same bytes. */
  answer: string;
  replayed: boolean;
  /** It is the answer of another collection, which began less than the minimum interval ago. */
  reused?: true;
}

/** Kept back from the time of a collection for the transaction that stores it. */
const STORAGE_SHARE_MS = 3_000;

function presentFailure(context: Context, request: CollectRequest, error: string): Collected {
  const answer: z.output<typeof collectFailure> = {
    status: 'error',
    collection_id: 'failed',
    timestamp: context.clock.now().toISOString(),
    data_points_collected: 0,
    storage_status: 'failed',
    dashboard_updated: false,
    trigger_source: request.source,
    error,
  };
  return { status: 500, answer: JSON.stringify(answer), replayed: false };
}

/** What the caller may read of a fault of ours; the log has all of it. */
function describeFault(error: unknown): string {
  if ((error as { name?: unknown }).name === 'TimeoutError') {
    return 'deadline: the collection took longer than it may';
  }
  if (isPassingFault(error)) return 'storage: the database does not answer';
  if (error instanceof Error && error.message.startsWith('this attempt was overtaken')) {
    return `storage: ${error.message}`;
  }
  return 'internal: the collection could not be stored; the log names the cause';
}

async function markFailed(context: Context, claim: Claim, error: string): Promise<void> {
  await context.db.pool.query(
    `UPDATE collection SET status = 'error', storage_status = 'failed', error = $3,
       finished_at = now(), lease_until = NULL
     WHERE id = $1 AND attempt = $2 AND status = 'running'`,
    [claim.ref.toString(), claim.attempt, error],
  );
}

async function fill(
  context: Context,
  claim: Claim,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const { config, logger, metrics, collector } = context;
  collector.running++;
  try {
    const share = Math.max(config.collectionTimeoutMs - STORAGE_SHARE_MS, 10);
    const limit = AbortSignal.any([deadline, AbortSignal.timeout(share)]);
    const gathered = await gather(context, limit);
    const present = presentSuccess(context, claim, request);
    const stored = await storeCollection(context, claim, gathered, {
      isForDashboard: true,
      present,
    });
    collector.succeeded(claim.capturedAt);
    metrics.collected(context, gathered, stored.dataPoints);
    logger.info('collection stored', {
      collectionId: claim.collectionId,
      attempt: claim.attempt,
      dataPoints: stored.dataPoints,
    });
    return { status: 200, answer: stored.answer, replayed: false };
  } catch (error) {
    await markFailed(context, claim, describeFault(error)).catch(() => undefined);
    throw error;
  } finally {
    collector.running--;
  }
}

/** The answer of an earlier success of this id, or null. */
async function findStored(
  context: Context,
  collectionId: string,
  request: CollectRequest,
): Promise<Collected | null> {
  const { rows } = await context.db.pool.query<{ answer: string; request_hash: string }>({
    name: 'stored-answer',
    text: "SELECT answer, request_hash FROM collection WHERE collection_id = $1 AND status = 'success'",
    values: [collectionId],
  });
  const row = rows[0];
  if (!row) return null;
  if (row.request_hash !== requestHash(request)) {
    context.logger.warn('a collection id came again with another body', { collectionId });
  }
  return { status: 200, answer: row.answer, replayed: true };
}

async function collectGiven(
  context: Context,
  collectionId: string,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const { collectionTimeoutMs } = context.config;
  return withCollectionLock(context.locks, collectionId, collectionTimeoutMs, async () => {
    const claim = await claimGiven(context, collectionId, request);
    if (claim) return fill(context, claim, request, deadline);
    const now = await findStored(context, collectionId, request);
    if (!now) throw new Error('a collected id has no stored answer');
    return now;
  });
}

async function collectNow(
  context: Context,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const recent = await findRecentAnswer(context);
  if (recent !== null) return { status: 200, answer: recent, replayed: false, reused: true };
  const id = request.collection_id;
  if (id) return collectGiven(context, id, request, deadline);
  const claim = await claimGenerated(context, request);
  return fill(context, claim, request, deadline);
}

/** What was collected under this id before, else a collection of its own once it is its turn. */
async function collectInTurn(
  context: Context,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const id = request.collection_id;
  const stored = id ? await findStored(context, id, request) : null;
  return stored ?? context.takeTurn(deadline, () => collectNow(context, request, deadline));
}

async function attempt(context: Context, request: CollectRequest): Promise<Collected> {
  const { config, logger, metrics } = context;
  const problem = config.exchangeProblem;
  const end = metrics.collectionDuration.startTimer();
  try {
    if (problem !== null) {
      logger.error('the exchange is not configured', { cause: problem });
      metrics.collections.inc({ status: 'error' });
      return presentFailure(context, request, `configuration: ${problem}`);
    }
    const deadline = AbortSignal.timeout(config.collectionTimeoutMs);
    const done = await within(collectInTurn(context, request, deadline), deadline);
    metrics.collections.inc({
      status: done.reused ? 'reused' : done.replayed ? 'replayed' : 'success',
    });
    return done;
  } catch (error) {
    logger.error('the collection failed', errorFields(error));
    metrics.collections.inc({ status: 'error' });
    return presentFailure(context, request, describeFault(error));
  } finally {
    end();
  }
}

/**
 * POST /metrics/collect (specification; design, 3.8). Idempotent by `collection_id`: requests that are here
 * at the same time share one run, later ones get the stored bytes, and only a success is final. Different ones wait
 * for each other. It never throws: a fault of storage, configuration or our own is the failure body.
 */
export async function collect(context: Context, request: CollectRequest): Promise<Collected> {
  const id = request.collection_id;
  if (!id) return attempt(context, request);
  const running = context.running.get(id);
  if (running) {
    const joined = await running;
    return { ...joined, replayed: joined.status === 200 && !joined.reused };
  }
  const own = attempt(context, request).finally(() => context.running.delete(id));
  context.running.set(id, own);
  return own;
}
