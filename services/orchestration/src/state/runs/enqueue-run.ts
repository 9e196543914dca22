import { announce, ask, bind, newId, type RowOf, select, statement, trip } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource, WakeReason } from '@switchyard/types';
import type { Call, Tx } from '../../call';
import { ACTIVITY, activityOf, insertActivity } from '../activity';
import {
  type LockedAgent,
  lockAgent,
  lockAgentRow,
  notInvokableReason,
} from '../agents/lock-agent';
import { isActiveSql } from '../agents/run-transitions';
import { enforceAgentBudget, lockSpend } from '../budgets/agent-budget';
import { agentBudgetSpent, companyBudgetSpent } from '../budgets/spent';
import { admitsWakeupSql } from '../wakeups/wakeups';
import { RUN, type RunRow } from './runs';
import { joinReasons } from './wake-reasons';

export interface Wake {
  agentId: string;
  source: RunSource;
  reason: string | null;
  issueId: string | null;
  commentId?: string | null;
  routineRunId?: string | null;
  payload?: Record<string, unknown> | null;
  hops?: number;
  /** When it was asked for, if not now. */
  at?: string;
  /** Set for retries: the run that failed, how often it was retried, and how long to wait if not to start at once. */
  retry?: { ofRunId: string; retries: number; delayMs: number | null; reasons: WakeReason[] };
}

export type Admission =
  | { outcome: 'woken' | 'coalesced'; run: RunRow }
  | { outcome: 'skipped'; reason: string };

/**
 * The one way to a run, for every source: at most one run of an agent waits, and what arrives joins it. A run that has
 * started never serves a later wake. Needs a transaction that holds no lock that comes after the agent's.
 * @throws ApiError 404 when the agent does not exist
 */
export async function enqueueRun(tx: Tx, wake: Wake): Promise<Admission> {
  const lock = bind(lockAgentRow, { agentId: wake.agentId });
  const [fresh] = await trip(tx, [lock], enqueueFresh, runValues(wake));
  if (fresh) return enqueued(tx, wake, fresh, 'woken');
  const agent = await lockCurrent(tx, wake.agentId);
  const refusal = notInvokableReason(agent);
  if (refusal) {
    // Counted at once: most callers end in an error then, and nothing is committed.
    tx.context.metrics.countWake(wake.source, 'skipped');
    return { outcome: 'skipped', reason: refusal };
  }
  const [waiting] = await ask(tx, findWaiting, { agentId: agent.id });
  const [run] = waiting
    ? await ask(tx, joinRun, joinValues(waiting, wake))
    : await ask(tx, insertRun, runValues(wake));
  return enqueued(tx, wake, run as RunRow, waiting ? 'coalesced' : 'woken');
}

/**
 * Whether the run that waits serves as many wakes as it can remember. One that is written down then waits for the run
 * after it. The caller holds the agent's lock.
 */
export async function isWaitingRunFull(tx: Tx, agentId: string): Promise<boolean> {
  const [full] = await ask(tx, findFull, { agentId });
  return full !== undefined;
}

async function enqueued(
  tx: Tx,
  wake: Wake,
  run: RunRow,
  outcome: 'woken' | 'coalesced',
): Promise<Admission> {
  if (wake.retry) await ask(tx, markRetried, { runId: wake.retry.ofRunId, byRunId: run.id });
  tx.afterCommit(() => tx.context.metrics.countWake(wake.source, outcome));
  tx.announce(run.companyId);
  if (outcome === 'coalesced' || !wake.retry?.delayMs) {
    tx.hint('heartbeat-runs', { runId: run.id });
  }
  return { outcome, run };
}

/**
 * The common wake by hand, of an agent that may start and has nothing waiting, in one round trip with its record; null
 * when `enqueueRun` has to decide.
 */
export async function invokeAtOnce(call: Call, wake: Wake): Promise<RunRow | null> {
  const lock = bind(lockAgentRow, { agentId: wake.agentId });
  const values = { ...runValues(wake), ...activityOf(call), reason: wake.reason };
  const [invoked] = await trip(call.db, [lock], invokeFresh, values);
  if (!invoked) return null;
  const { adapterType, ...run } = invoked;
  await wokenNow(call, wake.source, { id: run.id, adapterType });
  return run;
}

/**
 * After a statement that made a run on its own: counts the wake and has streams told, and who executes it. Where that is a
 * runner no worker is asked to look; of a run that nobody took the sweep tells both.
 */
export async function wokenNow(
  { context, db, companyId }: Pick<Call, 'context' | 'db' | 'companyId'>,
  source: RunSource,
  { id: runId, adapterType }: { id: string; adapterType: string },
): Promise<void> {
  announce(db, companyId);
  const told = async () => {
    context.metrics.countWake(source, 'woken');
    if (context.adapters.ofRunners.includes(adapterType)) context.runnerNews.announce('runs');
    else await context.hints.hint('heartbeat-runs', { runId });
  };
  if (db.transaction) db.transaction.afterCommit(told);
  else await told();
}

/** A pause by the budget of an earlier month does not wait for the sweep to lift it. */
async function lockCurrent(tx: Tx, agentId: string): Promise<LockedAgent> {
  const agent = await lockAgent(tx, agentId);
  if (agent.pauseReason !== 'budget' || agent.agentBudgetSpent) return agent;
  await lockSpend(tx, agentId, null);
  await enforceAgentBudget(tx, agentId);
  return lockAgent(tx, agentId);
}

export function runValues(wake: Wake) {
  const { agentId, source, issueId, routineRunId = null, hops = 0, retry } = wake;
  return {
    runId: newId(),
    agentId,
    source,
    reasons: joinReasons([], reasonsOf(wake)),
    issueId,
    routineRunId,
    hops,
    retries: retry?.retries ?? 0,
    retryOfRunId: retry?.ofRunId ?? null,
    delayMs: retry?.delayMs ?? null,
    ...presentOrigin(),
  };
}

/**
 * A wake joins the run that waits already; a wait for a retry ends when a person asks. The run goes on with the longer of
 * two chains of agents, and a wake that no agent caused begins anew.
 */
function joinValues(waiting: RowOf<typeof findWaiting>, wake: Wake) {
  const known: WakeReason[] = waiting.wakeReasons;
  const isFull = known.length >= MAX_REASONS && !wake.retry;
  return {
    runId: waiting.id,
    reasons: isFull ? known : joinReasons(known, reasonsOf(wake)),
    issueId: wake.issueId,
    routineRunId: wake.routineRunId ?? null,
    hops: wake.hops ? Math.max(waiting.hops, wake.hops) : 0,
    isByPerson: wake.source === 'manual' || wake.retry?.delayMs === null,
  };
}

/**
 * How many wakes one waiting run remembers one by one. What is written down waits for the next run then, what a retry
 * brings is kept all the same, and only an invoke by hand joins without an entry.
 */
const MAX_REASONS = 500;

function reasonsOf(wake: Wake): WakeReason[] {
  if (wake.retry) return wake.retry.reasons;
  const { source, reason, issueId, commentId = null, payload = null } = wake;
  const { at = new Date().toISOString() } = wake;
  return [{ source, reason, issueId, commentId, payload, at }];
}

const NEW_RUN = {
  runId: 'uuid',
  agentId: 'uuid',
  source: 'text',
  reasons: 'json',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  hops: 'int',
  retries: 'int',
  retryOfRunId: 'uuid?',
  delayMs: 'int?',
  correlationId: 'text?',
  traceContext: 'text?',
} as const;

type NewRun = Readonly<Record<keyof typeof NEW_RUN, string>>;

/** SQL: inserts the run of agent `a` in company `c` if `which` holds of them. */
const insertRunSql = (p: NewRun, which: string) => `
  INSERT INTO heartbeat_run (id, company_id, agent_id, source, wake_reasons, issue_id, routine_run_id,
    hops, retries, retry_of_run_id, not_before, hinted_at, correlation_id, trace_context)
  SELECT ${p.runId}, a.company_id, a.id, ${p.source}, ${p.reasons}, ${p.issueId}, ${p.routineRunId},
    ${p.hops}, ${p.retries}, ${p.retryOfRunId}, now() + ${p.delayMs} * interval '1 millisecond', now(),
    ${p.correlationId}, ${p.traceContext}
  FROM agent a JOIN company c ON c.id = a.company_id
  WHERE a.id = ${p.agentId} AND ${which}
  RETURNING *`;

/** SQL: the same for an agent that surely may start and has nothing waiting; the lock on it is held. */
const insertFreshRunSql = (p: NewRun, which = 'true') =>
  insertRunSql(
    p,
    `${isActiveSql('a')} AND c.status = 'active'
      AND NOT ${agentBudgetSpent('a')} AND NOT ${companyBudgetSpent('c')}
      AND NOT EXISTS (SELECT 1 FROM heartbeat_run q WHERE q.agent_id = a.id AND q.status = 'queued')
      AND ${which}`,
  );

const insertRun = statement('insert-run', {
  takes: NEW_RUN,
  gives: RUN,
  sql: (p) => `WITH made AS (${insertRunSql(p, 'true')}) SELECT ${select(RUN, 'made')} FROM made`,
});

const enqueueFresh = statement('enqueue-run', {
  takes: NEW_RUN,
  gives: RUN,
  sql: (p) => `
    WITH made AS (${insertFreshRunSql(p)}) SELECT ${select(RUN, 'made')} FROM made`,
});

/** Whether the issue is the company's own is left to `enqueueRun` where it is not. */
const invokeFresh = statement('invoke-agent', {
  takes: { ...NEW_RUN, ...ACTIVITY, reason: 'text?' },
  gives: { ...RUN, adapterType: 'text' },
  onePlan: true,
  sql: (p) => `
    WITH made AS (${insertFreshRunSql(
      p,
      `(${p.issueId} IS NULL OR ${p.issueId} IN (
        SELECT i.id FROM issue i WHERE i.id = ${p.issueId} AND i.company_id = a.company_id))`,
    )}), recorded AS (${insertActivity(p, {
      action: 'heartbeat.invoked',
      from: 'made',
      companyId: 'company_id',
      entityId: 'id',
      details: `jsonb_build_object('agentId', agent_id, 'outcome', 'woken', 'reason', ${p.reason})`,
    })})
    SELECT ${select(RUN, 'made')}, a.adapter_type AS "adapterType"
    FROM made JOIN agent a ON a.id = made.agent_id`,
});

/** The wake that is written down is processed with it. */
export const enqueueWakeup = statement('enqueue-wakeup', {
  takes: { ...NEW_RUN, wakeupId: 'uuid' },
  gives: { id: 'uuid', adapterType: 'text' },
  onePlan: true,
  sql: (p) => `
    WITH made AS (${insertFreshRunSql(
      p,
      `EXISTS (SELECT 1 FROM agent_wakeup w WHERE w.id = ${p.wakeupId} AND w.status = 'pending')`,
    )}), processed AS (${admitsWakeupSql(p.wakeupId, 'made')})
    SELECT made.id, a.adapter_type AS "adapterType" FROM made JOIN agent a ON a.id = made.agent_id`,
});

const markRetried = statement('mark-retried', {
  takes: { runId: 'uuid', byRunId: 'uuid' },
  gives: {},
  sql: ({ runId, byRunId }) =>
    `UPDATE heartbeat_run SET retried_by_run_id = ${byRunId} WHERE id = ${runId}`,
});

const findWaiting = statement('find-run-to-join', {
  takes: { agentId: 'uuid' },
  gives: { id: 'uuid', hops: 'int', wakeReasons: 'json' },
  sql: ({ agentId }) => `
    SELECT id, hops, wake_reasons AS "wakeReasons" FROM heartbeat_run
    WHERE agent_id = ${agentId} AND status = 'queued'`,
});

const findFull = statement('find-full-run', {
  takes: { agentId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ agentId }) => `
    SELECT id FROM heartbeat_run WHERE agent_id = ${agentId} AND status = 'queued'
      AND jsonb_array_length(wake_reasons) >= ${MAX_REASONS}`,
});

const joinRun = statement('join-run', {
  takes: {
    runId: 'uuid',
    reasons: 'json',
    issueId: 'uuid?',
    routineRunId: 'uuid?',
    hops: 'int',
    isByPerson: 'bool',
  },
  gives: RUN,
  sql: (p) => `
    UPDATE heartbeat_run r SET wake_reasons = ${p.reasons}, hops = ${p.hops},
      issue_id = coalesce(issue_id, ${p.issueId}),
      routine_run_id = coalesce(routine_run_id, ${p.routineRunId}),
      not_before = CASE WHEN NOT ${p.isByPerson} THEN not_before END
    WHERE id = ${p.runId} RETURNING ${select(RUN, 'r')}`,
});
