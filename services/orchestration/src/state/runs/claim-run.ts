import { ask, bind, statement, trip } from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';
import type { Metrics } from '../../observability/metrics';
import { type LockedAgent, lockAgent, lockAgentRow } from '../agents/lock-agent';
import { budgetStop } from '../budgets/budget-stop';
import { findClaimable, type LockedRun, lockRun } from './claims/claimable';
import { type Claim, type ClaimedRun, claimDue, claimLocked } from './claims/claimed-run';
import { endOfLost, isHandedOver } from './claims/lost-run';
import { AGENT, type Taker, takeOverAfterMs, takerValues, WORKER } from './claims/takers';
import { endRun } from './end-run';
import { endWaitingRuns } from './ending';

export interface WaitingRun {
  id: string;
  companyId: string;
  agentId: string;
}

/**
 * Claims a waiting run, or one whose worker's lease is over. Returns null when there is nothing to do: another worker has
 * it, it has ended, or its agent is at its limit. That makes duplicate, late and reordered hints harmless. What a spent
 * budget keeps from starting is cancelled. Without a place for it nothing begins, but what has to end is ended. With
 * `fetchedForMs` the agent itself takes the run, for so long and without a worker; with `runner` that one does.
 */
export async function claimRun(
  context: Context,
  run: WaitingRun,
  workerId: string | null,
  {
    hasPlace = true,
    fetchedForMs,
    runner,
  }: { hasPlace?: boolean; fetchedForMs?: number; runner?: ClaimingRunner } = {},
): Promise<ClaimedRun | null> {
  const { leaseMs, runner: runners } = context.config;
  const taker = runner?.taker ?? (fetchedForMs === undefined ? WORKER : AGENT);
  const claim = {
    runId: run.id,
    workerId,
    leaseMs: fetchedForMs ?? (runner ? (runner.leaseMs ?? runners.leaseMs) : leaseMs),
    runnerInstance: runner?.instance ?? null,
    ticketHash: runner?.ticketHash ?? null,
    nextSeq: runner?.seq ?? 0,
    ...takerValues(context, taker),
  };
  const claimed = hasPlace ? await claimAtOnce(context, run, claim) : null;
  if (claimed) return claimed;
  const expiry = { takeOverAfterMs: takeOverAfterMs(context) };
  const [claimable] = await ask(context.db, findClaimable, { runId: run.id, ...expiry });
  if (!claimable) return null;
  return inTransaction(systemCall(context, run.companyId), (tx) =>
    claimInGeneral(tx, run, claim, hasPlace),
  );
}

/** A runner that claims, and the digest of what it will prove the claim with. */
export interface ClaimingRunner {
  taker: Taker;
  instance: string;
  /** Number of the request for work that it is given to; a run pod has none, and a runner may have none. */
  seq?: number | undefined;
  ticketHash: Uint8Array<ArrayBuffer>;
  /** Of the first lease, where it has to start first; without it that of every runner. */
  leaseMs?: number;
}

/** The common claim: a run that may start, of an agent with room, in a company without a budget. */
async function claimAtOnce(context: Context, { agentId, companyId }: WaitingRun, claim: Claim) {
  const { db, config, metrics } = context;
  const maxRunning = config.maxRunningRunsPerCompany;
  const { runnerInstance: instance } = claim;
  const locks = [
    instance === null
      ? bind(lockAgentRow, { agentId })
      : bind(lockInstanceAndAgent, { instance, agentId }),
  ];
  if (maxRunning > 0) locks.push(bind(lockRunsOfCompany, { companyId }));
  const [claimed] = await trip(db, locks, claimDue, { ...claim, maxRunning });
  if (!claimed) return undefined;
  countStart(metrics, claimed);
  db.announce(new Set([companyId]));
  return claimed;
}

function countStart(metrics: Metrics, run: ClaimedRun): void {
  const mightStart = Math.max(
    Date.parse(run.createdAt),
    run.notBefore ? Date.parse(run.notBefore) : 0,
  );
  metrics.runsStarted.inc({ source: run.source });
  const waited = run.startedAt ? Date.parse(run.startedAt) - mightStart : 0;
  metrics.runWait.observe(Math.max(0, waited) / 1000);
}

/** Every other claim: what has to end instead, budgets of companies, and what a lost worker left. */
async function claimInGeneral(
  tx: Tx,
  { id: runId, agentId }: WaitingRun,
  claim: Claim,
  hasPlace: boolean,
): Promise<ClaimedRun | null> {
  const { runnerInstance: instance } = claim;
  if (instance !== null && (await ask(tx, lockInstance, { instance })).length === 0) return null;
  const agent = await lockAgent(tx, agentId);
  const expiry = { takeOverAfterMs: takeOverAfterMs(tx.context) };
  const [run] = await ask(tx, lockRun, { ...claim, ...expiry, runId });
  if (run?.isExpired) return takeOver(tx, agent, run, claim, hasPlace && run.isForTaker);
  if (!run?.isDue || !run.isForTaker || run.running >= agent.maxConcurrentRuns) return null;
  const stop = await budgetStop(tx, agent);
  if (stop) await endWaitingRuns(tx, [agentId], stop);
  if (stop || agent.status === 'paused' || agent.refusal) return null;
  if (!hasPlace || !(await hasRoom(tx, agent.companyId))) return null;
  const claimed = await begin(tx, claim);
  tx.afterCommit(() => countStart(tx.context.metrics, claimed));
  return claimed;
}

/** A run whose lease is over: taken over while attempts and money are left and nobody asked it to stop. */
async function takeOver(
  tx: Tx,
  agent: LockedAgent,
  run: LockedRun,
  claim: Claim,
  hasPlace: boolean,
): Promise<ClaimedRun | null> {
  const end = await endOfLost(tx, agent, run);
  if (!end && !hasPlace) return null;
  const outcome = end ? 'ended' : 'taken_over';
  if (!isHandedOver(run)) tx.afterCommit(() => tx.context.metrics.leaseExpiries.inc({ outcome }));
  if (!end) return begin(tx, claim);
  await endRun(tx, run, end);
  return null;
}

/** Whether the company may have one more running anywhere; its claims wait here for one another. */
async function hasRoom(tx: Tx, companyId: string): Promise<boolean> {
  const maxRunning = tx.context.config.maxRunningRunsPerCompany;
  if (maxRunning === 0) return true;
  await ask(tx, lockRunsOfCompany, { companyId });
  const [counted] = await ask(tx, countRunning, { companyId });
  return (counted?.running ?? 0) < maxRunning;
}

async function begin(tx: Tx, claim: Claim) {
  const [claimed] = await ask(tx, claimLocked, claim);
  if (!claimed) throw new Error('a run whose row is locked is gone');
  tx.announce(claimed.companyId);
  return claimed;
}

/** A runner that says hello anew, or whose token is revoked, claims nothing behind that. */
const lockInstance = statement('lock-runner-instance', {
  takes: { instance: 'uuid' },
  gives: {},
  sql: ({ instance }) => `
    SELECT FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL FOR SHARE`,
});

/** The same and behind it the agent, which is left alone where the runner is gone: the claim then finds it gone too. */
const lockInstanceAndAgent = statement('lock-runner-instance-and-agent', {
  takes: { instance: 'uuid', agentId: 'uuid' },
  gives: {},
  sql: ({ instance, agentId }) => `
    WITH present AS MATERIALIZED (
      SELECT id FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL FOR SHARE
    )
    SELECT FROM agent WHERE id = ${agentId} AND EXISTS (SELECT FROM present) FOR NO KEY UPDATE`,
});

const lockRunsOfCompany = statement('lock-runs-of-company', {
  takes: { companyId: 'uuid' },
  gives: { taken: 'bool' },
  sql: ({ companyId }) => `
    SELECT true AS taken
    FROM pg_advisory_xact_lock(hashtextextended('runs of ' || ${companyId}::text, 0))`,
});

const countRunning = statement('count-running-of-company', {
  takes: { companyId: 'uuid' },
  gives: { running: 'int' },
  sql: ({ companyId }) => `
    SELECT count(*)::int AS running FROM heartbeat_run
    WHERE company_id = ${companyId} AND status = 'running'`,
});
