import { afterCommit, type HeartbeatRunModel, type Transaction } from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../../call';
import type { Context } from '../../../context';
import type { Metrics } from '../../../observability/metrics';
import { type LockedAgent, lockAgent, notInvokableReason } from '../../../state/agents/lock-agent';
import { budgetStop } from '../../../state/budgets/budget-stop';
import type { BudgetReason } from '../../../state/budgets/spent';
import { endWaitingRuns } from '../../../state/runs/end-waiting-runs';
import { endRun, type RunEnd } from '../end/end-run';
import { endLostProcesses, type ProcessPlace } from './end-lost-processes';

/** How often a run is started in all before its worker's death becomes its own (contract 16). */
const MAX_ATTEMPTS = 3;

export interface ClaimedRun extends HeartbeatRunModel {
  /** The claim before this one, when its worker was lost: its processes may still live on this host. */
  previous: ProcessPlace | null;
}

async function claim(
  tx: Transaction,
  runId: string,
  workerId: string,
  leaseMs: number,
): Promise<HeartbeatRunModel> {
  await tx.prisma.$executeRaw`
    UPDATE heartbeat_run SET status = 'running', epoch = epoch + 1,
      attempt = CASE WHEN status = 'running' AND worker_id IS NOT NULL THEN attempt + 1 ELSE attempt END,
      worker_id = ${workerId}, process_host = NULL, process_pid = NULL, process_started_at = NULL,
      lease_expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      started_at = coalesce(started_at, clock_timestamp())
    WHERE id = ${runId}::uuid`;
  const run = await tx.prisma.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
  await tx.prisma.$executeRaw`
    UPDATE agent SET last_heartbeat_at = now(), updated_at = now(),
      status = CASE WHEN status IN ('idle', 'error') THEN 'running' ELSE status END
    WHERE id = ${run.agentId}::uuid`;
  return run;
}

function countStart(metrics: Metrics, run: HeartbeatRunModel): void {
  const { createdAt, notBefore, startedAt } = run;
  const mightStart = Math.max(createdAt.getTime(), notBefore?.getTime() ?? 0);
  metrics.runsStarted.inc({ source: run.source });
  if (startedAt) metrics.runWait.observe(Math.max(0, startedAt.getTime() - mightStart) / 1000);
}

function previousOf(run: HeartbeatRunModel): ClaimedRun['previous'] {
  const { processHost: host, processPid: pid, processStartedAt: startedAt } = run;
  return host && pid && startedAt ? { host, pid, startedAt } : null;
}

/** Let go of by a worker that was stopped in order, which is no loss and counts as none (guarantee G30). */
const isHandedOver = (run: HeartbeatRunModel): boolean => run.workerId === null;

/** Why a run whose lease is over is not taken over; null when it is. */
function endInstead(run: HeartbeatRunModel, stop: BudgetReason | null): RunEnd | null {
  if (run.cancelRequestedAt || stop) {
    const errorCode = run.cancelReason ?? stop ?? 'cancelled';
    return { status: 'cancelled', exitCode: null, errorCode };
  }
  if (run.attempt < MAX_ATTEMPTS || isHandedOver(run)) return null;
  return {
    status: 'failed',
    exitCode: null,
    errorCode: 'worker_lost',
    error: `the worker was lost in each of ${MAX_ATTEMPTS} attempts`,
  };
}

/** A run whose lease is over: taken over while attempts and money are left and nobody asked it to stop. */
async function takeOver(
  tx: Tx,
  agent: LockedAgent,
  run: HeartbeatRunModel,
  workerId: string,
  hasPlace: boolean,
): Promise<HeartbeatRunModel | null> {
  const end = endInstead(run, await budgetStop(tx, agent));
  if (!end && !hasPlace) return null;
  const outcome = end ? 'ended' : 'taken_over';
  if (!isHandedOver(run)) afterCommit(tx, () => tx.context.metrics.leaseExpiries.inc({ outcome }));
  if (!end) {
    return claim(tx, run.id, workerId, tx.context.config.leaseMs);
  }
  await endRun(tx, agent, run, end);
  // Only after the end is true: until then its worker may still come back and renew.
  afterCommit(tx, () => endLostProcesses(run.id, previousOf(run)));
  return null;
}

/** Whether the company may have one more running anywhere; its claims wait here for one another. */
async function hasRoom(tx: Tx, companyId: string): Promise<boolean> {
  const { config } = tx.context;
  const max = config.maxRunningRunsPerCompany;
  if (max === 0) return true;
  await tx.prisma
    .$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`runs of ${companyId}`}, 0))`;
  const running = await tx.prisma.heartbeatRun.count({ where: { companyId, status: 'running' } });
  return running < max;
}

/**
 * Claims a waiting run, or one whose worker's lease is over. Answers null when there is nothing to do:
 * somebody has it, it has ended, or its agent is at its limit. That makes duplicate, late and reordered
 * hints harmless (guarantee G2). What a spent budget keeps from starting is cancelled (guarantee G19).
 * Without a place for it nothing begins, but what has to end is ended.
 */
export async function claimRun(
  context: Context,
  runId: string,
  workerId: string,
  { hasPlace = true } = {},
): Promise<ClaimedRun | null> {
  const { db } = context;
  const named = await db.prisma.heartbeatRun.findUnique({
    where: { id: runId },
    select: { agentId: true, companyId: true, status: true },
  });
  if (named?.status !== 'queued' && named?.status !== 'running') return null;
  return inTransaction(systemCall(context, named.companyId), async (tx) => {
    const agent = await lockAgent(tx, named.agentId);
    const [state] = await tx.prisma.$queryRaw<
      { expired: boolean; due: boolean; running: number }[]
    >`
      SELECT status = 'running' AND lease_expires_at < clock_timestamp() AS expired,
        status = 'queued' AND (not_before IS NULL OR not_before <= clock_timestamp()) AS due,
        (SELECT count(*)::int FROM heartbeat_run o
          WHERE o.agent_id = r.agent_id AND o.status = 'running') AS running
      FROM heartbeat_run r WHERE id = ${runId}::uuid FOR UPDATE`;
    const run = await tx.prisma.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
    const previous = previousOf(run);
    if (state?.expired) {
      const taken = await takeOver(tx, agent, run, workerId, hasPlace);
      return taken && { ...taken, previous };
    }
    if (!state?.due || state.running >= agent.maxConcurrentRuns) return null;
    const stop = await budgetStop(tx, agent);
    if (stop) await endWaitingRuns(tx, [agent.id], stop);
    if (stop || agent.status === 'paused' || notInvokableReason(agent)) return null;
    if (!hasPlace || !(await hasRoom(tx, agent.companyId))) return null;
    const claimed = await claim(tx, runId, workerId, context.config.leaseMs);
    afterCommit(tx, () => countStart(context.metrics, claimed));
    return { ...claimed, previous: null };
  });
}
