import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import { inTransaction, systemCall } from '../../../kernel/call';
import type { Context } from '../../../kernel/context';
import { lockAgent } from '../../agents/lock-agent';
import { endRun, type RunEnd } from '../end-run';
import { FREE_LOSSES, type ReleaseCost, releaseClaim } from '../requeue-run';
import { appendRunLog } from '../run-log';
import { lockRun } from '../runs';
import { MAX_ATTEMPTS } from './claimable';
import { CLAIMED_RUN, type ClaimedRun, claimedSql } from './claimed-run';
import { POD_INSTANCE } from './pod-instance';

/**
 * Exchanges a claim's ticket for the key of its pod. Returns false if the ticket was redeemed, has
 * expired, or belongs to another claim.
 */
export async function redeemTicket(
  db: Database,
  exchange: {
    runId: string;
    epoch: number;
    ticketHash: Uint8Array<ArrayBuffer>;
    keyHash: Uint8Array<ArrayBuffer>;
    leaseMs: number;
  },
): Promise<boolean> {
  const rows = await ask(db, redeem, { ...exchange, instance: POD_INSTANCE });
  return rows.length > 0;
}

const redeem = statement('redeem-ticket-of-pod', {
  takes: {
    runId: 'uuid',
    epoch: 'int',
    instance: 'uuid',
    ticketHash: 'bytes',
    keyHash: 'bytes',
    leaseMs: 'int',
  },
  gives: { id: 'uuid' },
  sql: (p) => `
    UPDATE heartbeat_run SET ticket_hash = ${p.keyHash},
      lease_expires_at = clock_timestamp() + ${p.leaseMs} * interval '1 millisecond'
    WHERE id = ${p.runId} AND epoch = ${p.epoch} AND status = 'running'
      AND runner_instance = ${p.instance} AND ticket_hash = ${p.ticketHash}
      AND lease_expires_at > clock_timestamp()
    RETURNING id`,
});

export async function readPodClaim(
  db: Database,
  claim: { runId: string; epoch: number },
): Promise<ClaimedRun | null> {
  const [run] = await ask(db, readClaim, { ...claim, instance: POD_INSTANCE });
  return run ?? null;
}

const readClaim = statement('read-claim-of-pod', {
  takes: { runId: 'uuid', epoch: 'int', instance: 'uuid' },
  gives: CLAIMED_RUN,
  sql: (p) => `
    WITH claimed AS (
      SELECT r.* FROM heartbeat_run r WHERE r.id = ${p.runId} AND r.epoch = ${p.epoch}
        AND r.status = 'running' AND r.runner_instance = ${p.instance}
    ) ${claimedSql()}`,
});

export type PlacedRun = RowOf<typeof placedRuns>;

export async function listPlacedRuns(db: Database): Promise<PlacedRun[]> {
  return ask(db, placedRuns, { instance: POD_INSTANCE });
}

const placedRuns = statement('list-runs-of-pods', {
  takes: { instance: 'uuid' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    epoch: 'int',
    attempt: 'int',
    losses: 'int',
    isCancelRequested: 'bool',
    leaseLeftMs: 'bigint',
  },
  sql: ({ instance }) => `
    SELECT id, company_id AS "companyId", agent_id AS "agentId", epoch, attempt, losses,
      cancel_requested_at IS NOT NULL AS "isCancelRequested",
      (extract(epoch FROM lease_expires_at - clock_timestamp()) * 1000)::bigint AS "leaseLeftMs"
    FROM heartbeat_run WHERE runner_instance = ${instance} AND status = 'running'`,
});

export interface PodLoss {
  reason: string;
  cost: ReleaseCost;
  isTimeout: boolean;
}

/**
 * Releases the claim of a lost pod, so that the run restarts immediately. Ends a run that was to be
 * cancelled, or that has used up its attempts or time. Returns false, and writes nothing, if
 * another worker has already done so.
 */
export async function loseRun(context: Context, run: PlacedRun, loss: PodLoss): Promise<boolean> {
  return inTransaction(systemCall(context, run.companyId), async (tx) => {
    await lockAgent(tx, run.agentId);
    await lockRun(tx, run.id);
    const held = await readPodClaim(tx, { runId: run.id, epoch: run.epoch });
    if (!held) return false;
    await appendRunLog(tx, run, Buffer.from(`[switchyard] ${loss.reason}\n`));
    const end = endOfLoss(run, loss);
    if (end) return endRun(tx, held, end);
    await releaseClaim(tx, run, loss.isTimeout ? 'nothing' : loss.cost);
    tx.hint('heartbeat-runs', { runId: run.id });
    return true;
  });
}

function endOfLoss(run: PlacedRun, { reason, cost, isTimeout }: PodLoss): RunEnd | null {
  if (run.isCancelRequested) return null;
  if (isTimeout) {
    return { status: 'timed_out', exitCode: null, errorCode: 'timeout', error: reason };
  }
  const isCounted = cost === 'attempt' || (cost === 'loss' && run.losses >= FREE_LOSSES);
  if (!isCounted || run.attempt < MAX_ATTEMPTS) return null;
  const times = cost === 'loss' ? ` (pods were lost ${run.losses + 1} times)` : '';
  return { status: 'failed', exitCode: null, errorCode: 'worker_lost', error: reason + times };
}
