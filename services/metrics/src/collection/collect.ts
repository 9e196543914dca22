import { untilAborted } from '@switchyard/async';
import type { Pool } from '@switchyard/db';
import { errorFields, isExhausted, isPassingFault } from '@switchyard/server';
import type { z } from 'zod';
import type { Backfill } from '../candles/backfill';
import type { CandleCache } from '../candles/candles';
import { COLLECTED_TIMEFRAME } from '../candles/timeframe';
import { checkKey } from '../exchange/check-key';
import { exchangeProblem } from '../exchange/problem';
import { KINDS } from '../kinds/kinds';
import type { Resources } from '../resources';
import { type Claim, claimCollection, markFailed, ownerOf } from './claim-collection';
import type { CollectRequest, collectFailure } from './collect-contract';
import { broughtData } from './collect-contract';
import { lockCollection } from './collection-lock';
import type { Counters } from './counters';
import { gather } from './gather';
import { refusedAccount } from './several-accounts';
import { OvertakenError, type Part, storeCollection } from './store-collection';
import { findRecent, findStored } from './stored-answers';
import type { Turns } from './turns/turns';

export interface Collecting extends Resources {
  accounts: readonly CollectedAccount[];
  locks: Pool;
  turns: Turns;
  candles: CandleCache;
  counters: Counters;
  state: CollectorState;
}

interface CollectedAccount extends Resources {
  backfill: Backfill;
}

export interface CollectorState {
  running: number;
  lastSuccessAt: Date | null;
}

export interface Collected {
  status: 200 | 500;
  answer: string;
  replayed: boolean;
  reused: boolean;
}

/**
 * POST /metrics/collect. Idempotent by `collection_id`: after a success, repeated requests get the
 * stored response. Collections run one after another. Never throws: storage, configuration and
 * internal errors become the failure response.
 */
export async function collect(collecting: Collecting, request: CollectRequest): Promise<Collected> {
  const { accounts, config, counters, logger } = collecting;
  const end = counters.duration.startTimer();
  try {
    const problems = accounts.map(({ config: { exchangeProblem: problem } }) => problem);
    const [problem] = problems;
    if (problem && !problems.includes(null)) throw new NotConfigured(problem);
    const deadline = AbortSignal.timeout(config.collectionTimeoutMs);
    const collected = await untilAborted(collectInTurn(collecting, request, deadline), deadline);
    const { replayed, reused } = collected;
    counters.collections.inc({ status: reused ? 'reused' : replayed ? 'replayed' : 'success' });
    return collected;
  } catch (error) {
    logger.error('the collection failed', errorFields(error));
    counters.collections.inc({ status: 'error' });
    return failure(collecting, request, describeFault(error));
  } finally {
    end();
  }
}

async function collectInTurn(
  collecting: Collecting,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const id = request.collection_id;
  const stored = id ? await findStored(collecting, id, request) : null;
  if (stored !== null) return success(stored, { replayed: true });
  const endTurn = await collecting.turns.take(deadline);
  try {
    const recent = await findRecent(collecting);
    if (recent !== null) return success(recent, { reused: true });
    return await collectOnce(collecting, request, deadline);
  } finally {
    endTurn();
  }
}

async function collectOnce(
  collecting: Collecting,
  request: CollectRequest,
  deadline: AbortSignal,
): Promise<Collected> {
  const { config, locks } = collecting;
  const id = request.collection_id;
  const unlock = id ? await lockCollection(locks, id, config.collectionTimeoutMs) : null;
  try {
    const owner = ownerOf(collecting.accounts);
    const claim = await claimCollection({ ...collecting, ...owner }, request);
    if (claim) return success(await fill(collecting, claim, request, deadline), {});
    const stored = await findStored(collecting, String(id), request);
    if (stored === null)
      throw new Error(`collection ${id} is already claimed but has no stored response`);
    return success(stored, { replayed: true });
  } finally {
    await unlock?.();
  }
}

const STORAGE_SHARE_MS = 3_000;

async function fill(
  collecting: Collecting,
  claim: Claim,
  { source }: CollectRequest,
  deadline: AbortSignal,
): Promise<string> {
  const { config, counters, logger, state } = collecting;
  state.running++;
  try {
    const share = Math.max(config.collectionTimeoutMs - STORAGE_SHARE_MS, 10);
    const limit = AbortSignal.any([deadline, AbortSignal.timeout(share)]);
    const parts = await Promise.all(
      collecting.accounts.map((account) => gatherAccount(collecting, account, limit)),
    );
    const problems = parts.map(({ problem }) => problem);
    const [problem] = problems;
    if (problem && !problems.includes(null)) throw new NotConfigured(problem);
    const options = { source, isForDashboard: true };
    const stored = await storeCollection(collecting, claim, parts, options);
    if (broughtData(stored.components)) state.lastSuccessAt = claim.capturedAt;
    counters.stored(stored.components);
    logger.info('collection stored', {
      collectionId: claim.collectionId,
      attempt: claim.attempt,
      dataPoints: stored.dataPoints,
    });
    return stored.answer;
  } catch (error) {
    await markFailed(collecting, claim, describeFault(error)).catch(() => undefined);
    throw error;
  } finally {
    state.running--;
  }
}

async function gatherAccount(
  collecting: Collecting,
  resources: CollectedAccount,
  limit: AbortSignal,
): Promise<Part & { problem: string | null }> {
  const { account, config, exchange } = resources;
  const refused = (problem: string) => ({
    resources,
    problem,
    gathered: refusedAccount(account ?? exchange.name, problem),
  });
  if (config.exchangeProblem !== null) return refused(config.exchangeProblem);
  const wanted = { kinds: KINDS, symbols: config.symbols, timeframe: COLLECTED_TIMEFRAME };
  const { candles } = collecting;
  const [gathered] = await Promise.all([
    gather({ ...resources, candles }, wanted, limit),
    checkKey(resources, limit),
  ]);
  const problem = exchangeProblem(resources);
  return problem === null ? { resources, problem, gathered } : refused(problem);
}

const success = (
  answer: string,
  { replayed = false, reused = false }: { replayed?: boolean; reused?: boolean },
): Collected => ({ status: 200, answer, replayed, reused });

function failure({ clock }: Resources, request: CollectRequest, error: string): Collected {
  const response: z.output<typeof collectFailure> = {
    status: 'error',
    collection_id: 'failed',
    timestamp: clock.now().toISOString(),
    data_points_collected: 0,
    storage_status: 'failed',
    dashboard_updated: false,
    trigger_source: request.source,
    error,
  };
  return { status: 500, answer: JSON.stringify(response), replayed: false, reused: false };
}

function describeFault(error: unknown): string {
  if (error instanceof NotConfigured) return `configuration: ${error.message}`;
  if (error instanceof OvertakenError) return `storage: ${error.message}`;
  if ((error as { name?: unknown }).name === 'TimeoutError') {
    return 'deadline: the collection exceeded its time limit';
  }
  if (isExhausted(error)) return 'storage: the database has no disk space or memory left';
  if (isPassingFault(error)) return 'storage: the database does not respond';
  return 'internal: the collection could not be stored; see the log for the cause';
}

class NotConfigured extends Error {
  override readonly name = 'NotConfigured';
}
