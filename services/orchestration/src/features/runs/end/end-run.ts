import { afterCommit, type HeartbeatRunModel, type Transaction } from '@switchyard/db';
import type { WakeReason } from '@switchyard/types';
import { SYSTEM } from '../../../access/actor';
import type { Tx } from '../../../call';
import { recordActivities } from '../../../state/activity';
import type { LockedAgent } from '../../../state/agents/lock-agent';
import { haltRuns } from '../../../state/runs/halt-runs';
import { recordRunEnds } from '../../../state/runs/record-run-ends';
import { enqueueRun } from '../../wakes/enqueue-run';
import { retryDelayMs } from './retry-delay';

export interface RunEnd {
  status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled';
  exitCode: number | null;
  errorCode?: string;
  error?: string;
  /** A failure that may pass by itself; `retryAfterMs` when the peer said how long it takes. */
  transient?: boolean;
  retryAfterMs?: number;
}

/** How often one wake is tried again after transient failures. */
const MAX_RETRIES = 3;

async function releaseLocks(tx: Transaction, runId: string): Promise<void> {
  await tx.prisma.$executeRaw`
    UPDATE issue SET checkout_run_id = NULL, checked_out_at = NULL, updated_at = now()
    WHERE checkout_run_id = ${runId}::uuid`;
}

/** What the end of a run makes of its agent: idle, in error, or paused after failures in a row. */
async function settleAgent(tx: Tx, agent: LockedAgent, end: RunEnd): Promise<void> {
  const failed = end.status === 'failed' || end.status === 'timed_out';
  const cancelled = end.status === 'cancelled';
  const failures = failed
    ? agent.consecutiveFailures + 1
    : cancelled
      ? agent.consecutiveFailures
      : 0;
  const running = await tx.prisma.heartbeatRun.count({
    where: { agentId: agent.id, status: 'running' },
  });
  const active = agent.status === 'running' || agent.status === 'idle' || agent.status === 'error';
  const breaks = active && failed && failures >= tx.context.config.failuresBeforePause;
  const errorReason = failed ? (end.error ?? end.errorCode ?? 'failed') : null;
  if (breaks) {
    await tx.prisma.$executeRaw`
      UPDATE agent SET status = 'paused', pause_reason = 'failures', paused_at = clock_timestamp(),
        consecutive_failures = ${failures}, error_reason = ${errorReason}, updated_at = now()
      WHERE id = ${agent.id}::uuid`;
    await haltRuns(tx, [agent.id], 'agent_paused');
    await recordActivities(tx, [
      {
        companyId: agent.companyId,
        actor: SYSTEM,
        action: 'agent.paused',
        entityType: 'agent',
        entityId: agent.id,
        details: { reason: 'failures', failures, error: errorReason },
      },
    ]);
    return;
  }
  const settled = running > 0 ? 'running' : failed ? 'error' : 'idle';
  await tx.prisma.agent.update({
    where: { id: agent.id },
    data: {
      consecutiveFailures: failures,
      ...(active && { status: settled, errorReason }),
    },
  });
}

async function planRetry(tx: Tx, run: HeartbeatRunModel, end: RunEnd): Promise<void> {
  if (!end.transient || run.retries >= MAX_RETRIES) return;
  const delay = end.retryAfterMs ?? retryDelayMs(run.retries, Math.random());
  await enqueueRun(tx, {
    agentId: run.agentId,
    source: 'retry',
    reason: end.errorCode ?? null,
    issueId: run.issueId,
    routineRunId: run.routineRunId,
    hops: run.hops,
    retry: {
      ofRunId: run.id,
      retries: run.retries + 1,
      notBefore: new Date(Date.now() + delay),
      reasons: run.wakeReasons as WakeReason[],
    },
  });
}

/** The next waiting run of the agent starts without waiting for the sweep. */
async function hintNext(tx: Tx, agentId: string): Promise<void> {
  const next = await tx.prisma.heartbeatRun.findFirst({
    where: { agentId, status: 'queued' },
    select: { id: true },
  });
  if (next) afterCommit(tx, () => tx.context.hints.hint('heartbeat-runs', { runId: next.id }));
}

/**
 * The one way a started run ends; with the agent's row locked and the run's claim verified by the
 * caller. Result, locks, the agent's state, a retry and the next hint are one transaction.
 */
export async function endRun(
  tx: Tx,
  agent: LockedAgent,
  run: HeartbeatRunModel,
  end: RunEnd,
): Promise<void> {
  await tx.prisma.$executeRaw`
    UPDATE heartbeat_run SET status = ${end.status}, finished_at = clock_timestamp(),
      exit_code = ${end.exitCode}, error_code = ${end.errorCode ?? null}, error = ${end.error ?? null},
      lease_expires_at = NULL
    WHERE id = ${run.id}::uuid`;
  await releaseLocks(tx, run.id);
  await settleAgent(tx, agent, end);
  await planRetry(tx, run, end);
  await hintNext(tx, run.agentId);
  const { id, companyId, agentId } = run;
  const { status, exitCode, errorCode = null } = end;
  await recordRunEnds(tx, [{ id, companyId, agentId, status, exitCode, errorCode }]);
}
