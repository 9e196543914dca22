import { ask, bind, type ParametersOf, type RowOf, select, statement, trip } from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';
import type { Metrics } from '../../observability/metrics';
import {
  type LockedAgent,
  lockAgent,
  lockAgentRow,
  notInvokableReason,
} from '../agents/lock-agent';
import { beginsRunSql, isActiveSql } from '../agents/run-transitions';
import { budgetStop } from '../budgets/budget-stop';
import { agentBudgetSpent, type BudgetReason } from '../budgets/spent';
import {
  AGENT,
  isExpiredSql,
  isForTakerSql,
  TAKER,
  type Taker,
  takeOverAfterMs,
  takerValues,
  WORKER,
} from './claims/takers';
import { endRun, type RunEnd } from './end-run';
import { endWaitingRuns } from './ending';
import { RUN } from './runs';
import { firstOpenIssueSql, wakeIssuesSql } from './wakes';

/** How often a run is started in all before its worker's death becomes its own. */
export const MAX_ATTEMPTS = 3;

/** A run of this worker or runner, with what its start needs. */
export type ClaimedRun = RowOf<typeof claimDue>;

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
  ticketHash: Uint8Array<ArrayBuffer>;
  /** Of the first lease, where it has to start first; without it that of every runner. */
  leaseMs?: number;
}

type Claim = ParametersOf<typeof claimLocked>;

/** The common claim: a run that may start, of an agent with room, in a company without a budget. */
async function claimAtOnce(context: Context, { agentId, companyId }: WaitingRun, claim: Claim) {
  const { db, config, metrics } = context;
  const maxRunning = config.maxRunningRunsPerCompany;
  const { runnerInstance: instance } = claim;
  const locks = [
    ...(instance === null ? [] : [bind(lockInstance, { instance })]),
    bind(lockAgentRow, { agentId }),
  ];
  if (maxRunning > 0) locks.push(bind(lockRunsOfCompany, { companyId }));
  const [claimed] = await trip(db, locks, claimDue, { ...claim, maxRunning });
  if (!claimed) return undefined;
  countStart(metrics, claimed);
  db.announce(new Set([companyId]));
  return claimed;
}

function countStart(metrics: Metrics, run: RowOf<typeof claimDue>): void {
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
  if (stop || agent.status === 'paused' || notInvokableReason(agent)) return null;
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
  const end = run.isDetached ? endDetached(run) : endInstead(run, await budgetStop(tx, agent));
  if (!end && !hasPlace) return null;
  const outcome = end ? 'ended' : 'taken_over';
  if (!isHandedOver(run)) tx.afterCommit(() => tx.context.metrics.leaseExpiries.inc({ outcome }));
  if (!end) return begin(tx, claim);
  await endRun(tx, run, end);
  return null;
}

/** Why a run whose lease is over is not taken over; null when it is. */
function endInstead(run: LockedRun, stop: BudgetReason | null): RunEnd | null {
  if (run.isCancelled || stop) {
    return { status: 'cancelled', exitCode: null, errorCode: stop ?? 'cancelled' };
  }
  if (run.attempt < MAX_ATTEMPTS || isHandedOver(run)) return null;
  return {
    status: 'failed',
    exitCode: null,
    errorCode: 'worker_lost',
    error: `the worker or runner was lost in each of ${MAX_ATTEMPTS} attempts`,
  };
}

/** Nobody begins anew what is worked on elsewhere. */
function endDetached({ isCancelled }: LockedRun): RunEnd {
  if (isCancelled) return { status: 'cancelled', exitCode: null, errorCode: 'cancelled' };
  const error = 'the agent did not finish the run within its time';
  return { status: 'timed_out', exitCode: null, errorCode: 'timeout', error };
}

/** Let go of by a worker that was stopped in order, which is no loss and counts as none. */
const isHandedOver = (run: LockedRun): boolean => run.workerId === null;

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

const CLAIM = {
  runId: 'uuid',
  workerId: 'text?',
  leaseMs: 'int',
  runnerInstance: 'uuid?',
  ticketHash: 'bytes?',
  ...TAKER,
} as const;

const CLAIMED = {
  ...RUN,
  epoch: 'int',
  hops: 'int',
  retries: 'int',
  notBefore: 'time?',
  correlationId: 'text?',
  traceContext: 'text?',
  leaseExpiresAt: 'time?',
} as const;

/** What the start of a run needs of other rows, so that it does not ask for each. */
const ABOUT = {
  agentName: 'text',
  adapterType: 'text',
  adapterConfig: 'json',
  /** Whether the agent or its company has a budget that may be nearly spent. */
  hasBudget: 'bool',
  egressAllowList: 'text[]?',
  projectId: 'uuid?',
  /** The primary workspace of the issue's project; null without one. */
  workspace: 'json?',
  /** The issues of its wakes. */
  wakeIssues: 'json',
} as const;

export const CLAIMED_RUN = { ...CLAIMED, ...ABOUT } as const;

/** SQL: starts the run if `which` holds of run `r`, agent `a` and company `c`. */
const claimSql = (p: Readonly<Record<keyof typeof CLAIM, string>>, which: string) => `
  WITH claimed AS (
    UPDATE heartbeat_run r SET status = 'running', epoch = r.epoch + 1,
      attempt = CASE WHEN r.status = 'running' AND r.worker_id IS NOT NULL
        THEN r.attempt + 1 ELSE r.attempt END,
      worker_id = ${p.workerId}, is_detached = ${p.taker} = 'agent', process_host = NULL, process_pid = NULL, process_started_at = NULL,
      runner_instance = ${p.runnerInstance}, ticket_hash = ${p.ticketHash}, usage_seq = 0,
      adapter_type = CASE ${p.taker} WHEN 'runner' THEN a.adapter_type END,
      lease_expires_at = clock_timestamp() + ${p.leaseMs} * interval '1 millisecond',
      started_at = coalesce(r.started_at, clock_timestamp()),
      issue_id = CASE r.status WHEN 'queued' THEN ${firstOpenIssueSql('r')} ELSE r.issue_id END
    FROM agent a JOIN company c ON c.id = a.company_id
    WHERE r.id = ${p.runId} AND a.id = r.agent_id AND ${which}
    RETURNING r.*
  ), begun AS (${beginsRunSql('claimed')})
  ${claimedSql()}`;

/** SQL: the rows of `claimed`, which are of `heartbeat_run`, with what their start needs. */
export const claimedSql = () => `
  SELECT ${select(CLAIMED, 'claimed')}, a.name AS "agentName", a.adapter_type AS "adapterType",
    a.adapter_config AS "adapterConfig",
    a.budget_monthly_cents > 0 OR c.budget_monthly_cents > 0 AS "hasBudget",
    c.egress_allow_list AS "egressAllowList",
    i.project_id AS "projectId",
    CASE WHEN w.id IS NOT NULL THEN jsonb_build_object('projectId', w.project_id, 'cwd', w.cwd,
      'repoUrl', w.repo_url, 'repoRef', w.repo_ref, 'repoSecretId', w.repo_secret_id,
      'repoSecretVersion', w.repo_secret_version) END AS workspace,
    ${wakeIssuesSql('claimed')} AS "wakeIssues"
  FROM claimed JOIN agent a ON a.id = claimed.agent_id JOIN company c ON c.id = a.company_id
  LEFT JOIN issue i ON i.id = claimed.issue_id
  LEFT JOIN workspace w ON w.project_id = i.project_id AND w.is_primary`;

const DUE = `r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())`;
const RUNNING_OF_AGENT = `(SELECT count(*)::int FROM heartbeat_run o
  WHERE o.agent_id = r.agent_id AND o.status = 'running')`;

const isPresentSql = (instance: string) => `(${instance} IS NULL OR EXISTS (
  SELECT 1 FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL))`;

const claimDue = statement('claim-due-run', {
  takes: { ...CLAIM, maxRunning: 'int' },
  gives: CLAIMED_RUN,
  sql: (p) =>
    claimSql(
      p,
      `${DUE} AND ${isForTakerSql('a', p)} AND ${isPresentSql(p.runnerInstance)} AND ${isActiveSql('a')} AND c.status = 'active' AND c.budget_monthly_cents = 0
      AND NOT ${agentBudgetSpent('a')} AND ${RUNNING_OF_AGENT} < a.max_concurrent_runs
      AND (${p.maxRunning} = 0 OR (SELECT count(*) FROM heartbeat_run o
        WHERE o.company_id = r.company_id AND o.status = 'running') < ${p.maxRunning})`,
    ),
});

/** For a run that is locked, of which was decided that it starts; whom it is for is under the agent's lock. */
const claimLocked = statement('claim-locked-run', {
  takes: CLAIM,
  gives: CLAIMED_RUN,
  sql: (p) => claimSql(p, isForTakerSql('a', p)),
});

/** Whether a claim may come to anything, so that one in vain takes no lock. */
const findClaimable = statement('find-claimable-run', {
  takes: { runId: 'uuid', takeOverAfterMs: 'int?' },
  gives: { id: 'uuid' },
  sql: ({ runId, takeOverAfterMs }) => `
    SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
    WHERE r.id = ${runId} AND (
      ${isExpiredSql('r', takeOverAfterMs)}
      OR (${DUE} AND ${RUNNING_OF_AGENT} < a.max_concurrent_runs))`,
});

const LOCKED = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  epoch: 'int',
  attempt: 'int',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  hops: 'int',
  retries: 'int',
  wakeReasons: 'json',
  workerId: 'text?',
  isDetached: 'bool',
} as const;

type LockedRun = RowOf<typeof lockRun>;

const lockRun = statement('lock-run-to-claim', {
  takes: { runId: 'uuid', ...TAKER, takeOverAfterMs: 'int?' },
  gives: {
    ...LOCKED,
    isCancelled: 'bool',
    isExpired: 'bool',
    isDue: 'bool',
    running: 'int',
    isForTaker: 'bool',
  },
  sql: (p) => `
    SELECT ${select(LOCKED, 'r')}, r.cancel_requested_at IS NOT NULL AS "isCancelled",
      ${isExpiredSql('r', p.takeOverAfterMs)} AS "isExpired",
      ${DUE} AS "isDue", ${RUNNING_OF_AGENT} AS running,
      (SELECT ${isForTakerSql('a', p)} FROM agent a WHERE a.id = r.agent_id) AS "isForTaker"
    FROM heartbeat_run r WHERE r.id = ${p.runId} FOR UPDATE`,
});

/** A runner that says hello anew, or whose token is revoked, claims nothing behind that. */
const lockInstance = statement('lock-runner-instance', {
  takes: { instance: 'uuid' },
  gives: {},
  sql: ({ instance }) => `
    SELECT FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL FOR SHARE`,
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
