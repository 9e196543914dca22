import {
  afterCommit,
  type HeartbeatRunModel,
  newId,
  type Prisma,
  type Transaction,
} from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource, WakeReason } from '@switchyard/types';
import type { Tx } from '../../call';
import { type LockedAgent, lockAgent, notInvokableReason } from '../../state/agents/lock-agent';
import { enforceAgentBudget, lockSpend } from '../../state/budgets/agent-budget';

/** How many wakes one waiting run remembers one by one; further ones join it without a record. */
const MAX_REASONS = 500;

export interface Wake {
  agentId: string;
  source: RunSource;
  reason: string | null;
  issueId: string | null;
  commentId?: string | null;
  routineRunId?: string | null;
  payload?: Record<string, unknown> | null;
  hops?: number;
  /** Set for retries: the run that failed, how often it was retried, and when to start if not at once. */
  retry?: { ofRunId: string; retries: number; notBefore: Date | null; reasons: WakeReason[] };
}

export type Admission =
  | { outcome: 'woken' | 'coalesced'; run: HeartbeatRunModel }
  | { outcome: 'skipped'; reason: string };

function reasonsOf(wake: Wake): WakeReason[] {
  if (wake.retry) return wake.retry.reasons;
  return [
    {
      source: wake.source,
      reason: wake.reason,
      issueId: wake.issueId,
      commentId: wake.commentId ?? null,
      payload: wake.payload ?? null,
      at: new Date().toISOString(),
    },
  ];
}

/** A waiting run carries so many bytes of payloads; what comes after is told without its own. */
const MAX_PAYLOAD_BYTES = 65_536;

function boundedReasons(known: WakeReason[], added: WakeReason[]): WakeReason[] {
  const room = MAX_PAYLOAD_BYTES - JSON.stringify(known.map((wake) => wake.payload)).length;
  const fits = JSON.stringify(added.map((wake) => wake.payload)).length <= room;
  const kept = fits ? added : added.map((wake) => ({ ...wake, payload: null }));
  return [...known, ...kept].slice(0, MAX_REASONS);
}

/**
 * A wake joins the run that waits already; a wait for a retry ends when a person asks. The run goes on
 * with the longer of two chains of agents, and a wake that no agent caused begins anew (G11).
 */
async function join(
  tx: Transaction,
  run: HeartbeatRunModel,
  wake: Wake,
): Promise<HeartbeatRunModel> {
  const known = run.wakeReasons as WakeReason[];
  const byPerson = wake.source === 'manual' || wake.retry?.notBefore === null;
  const hops = wake.hops ? Math.max(run.hops, wake.hops) : 0;
  return tx.prisma.heartbeatRun.update({
    where: { id: run.id },
    data: {
      wakeReasons: boundedReasons(known, reasonsOf(wake)) as Prisma.InputJsonArray,
      issueId: run.issueId ?? wake.issueId,
      routineRunId: run.routineRunId ?? wake.routineRunId ?? null,
      hops,
      ...(byPerson && { notBefore: null }),
    },
  });
}

/** A pause by the budget of an earlier month does not wait for the sweep to lift it. */
async function lockCurrent(tx: Tx, agentId: string): Promise<LockedAgent> {
  const agent = await lockAgent(tx, agentId);
  if (agent.pauseReason !== 'budget' || agent.agentBudgetSpent) return agent;
  await lockSpend(tx, agentId, null);
  await enforceAgentBudget(tx, agentId);
  return lockAgent(tx, agentId);
}

/**
 * The one admission for every source (guarantees G7, G8): at most one run of an agent waits, and what
 * arrives joins it. A run that has started never serves a later wake. Needs a transaction that holds
 * no lock that comes after the agent's.
 * @throws ApiError 404 when the agent does not exist
 */
export async function enqueueRun(tx: Tx, wake: Wake): Promise<Admission> {
  const { hints, metrics } = tx.context;
  const agent = await lockCurrent(tx, wake.agentId);
  const refusal = notInvokableReason(agent);
  if (refusal) {
    // Counted at once: most callers answer it with an error, and then nothing is committed.
    metrics.countWake(wake.source, 'skipped');
    return { outcome: 'skipped', reason: refusal };
  }
  const waiting = await tx.prisma.heartbeatRun.findFirst({
    where: { agentId: agent.id, status: 'queued' },
  });
  if (waiting) {
    const run = await join(tx, waiting, wake);
    afterCommit(tx, () => metrics.countWake(wake.source, 'coalesced'));
    afterCommit(tx, () => hints.hint('heartbeat-runs', { runId: run.id }));
    return { outcome: 'coalesced', run };
  }
  const run = await tx.prisma.heartbeatRun.create({
    data: {
      id: newId(),
      companyId: agent.companyId,
      agentId: agent.id,
      source: wake.source,
      wakeReasons: reasonsOf(wake) as Prisma.InputJsonArray,
      issueId: wake.issueId,
      routineRunId: wake.routineRunId ?? null,
      hops: wake.hops ?? 0,
      retries: wake.retry?.retries ?? 0,
      retryOfRunId: wake.retry?.ofRunId ?? null,
      notBefore: wake.retry?.notBefore ?? null,
      hintedAt: new Date(),
      ...presentOrigin(),
    },
  });
  afterCommit(tx, () => metrics.countWake(wake.source, 'woken'));
  if (!wake.retry?.notBefore)
    afterCommit(tx, () => hints.hint('heartbeat-runs', { runId: run.id }));
  return { outcome: 'woken', run };
}
