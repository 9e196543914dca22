import { ask, bind, newId, statement, trip } from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';
import { lockAgent, lockAgentRow } from '../agents/lock-agent';
import { endsRunSql, isActiveSql, isFailureSql } from '../agents/run-transitions';
import { pauseAgent } from '../agents/transitions';
import type { ClaimedRun } from './claim-run';
import { END, endingSql } from './ending';
import { enqueueRun } from './enqueue-run';
import { retryDelayMs } from './retry-delay';
import { lockRun, lockRunRow } from './runs';

export interface RunEnd {
  status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled';
  exitCode: number | null;
  errorCode?: string;
  error?: string;
  /** A failure that may pass by itself; `retryAfterMs` when the peer said how long it takes. */
  transient?: boolean;
  retryAfterMs?: number;
}

/** What has to be known of a run to end it. */
export type Ending = Pick<
  ClaimedRun,
  | 'id'
  | 'companyId'
  | 'agentId'
  | 'epoch'
  | 'issueId'
  | 'routineRunId'
  | 'hops'
  | 'retries'
  | 'wakeReasons'
>;

/** How often one wake is tried again after transient failures. */
const MAX_RETRIES = 3;

/**
 * Ends a claimed run: result, locks, the agent's state, a retry and the next hint are one transaction, and mostly one
 * round trip. Returns false, and writes nothing, when the claim is outdated: another worker has taken the run over, or it
 * has ended.
 */
export async function finishRun(context: Context, run: Ending, end: RunEnd): Promise<boolean> {
  if (!isRetried(run, end) && (await endAtOnce(context, run, end))) return true;
  const isEnded = await inTransaction(systemCall(context, run.companyId), async (tx) => {
    await lockAgent(tx, run.agentId);
    await lockRun(tx, run.id);
    return endRun(tx, run, end);
  });
  if (!isEnded) context.metrics.staleWrites.inc();
  return isEnded;
}

/**
 * The common end, which pauses no agent. The run is locked before, so that an issue which a caller in this run takes at
 * this moment is released too.
 */
async function endAtOnce(context: Context, run: Ending, end: RunEnd): Promise<boolean> {
  const { db, hints, metrics, config } = context;
  const { id: runId, agentId } = run;
  const locks = [bind(lockAgentRow, { agentId }), bind(lockRunRow, { runId })];
  const values = endValues(run, end, config.failuresBeforePause);
  const [ended] = await trip(db, locks, endClaimed, values);
  if (!ended) return false;
  metrics.runsFinished.inc({ status: end.status });
  db.announce(new Set([run.companyId, runId]));
  if (ended.nextRunId) await hints.hint('heartbeat-runs', { runId: ended.nextRunId });
  return true;
}

/** The same inside a transaction that holds the locks of agent and run, for every end that a run can have. */
export async function endRun(tx: Tx, run: Ending, end: RunEnd): Promise<boolean> {
  const [ended] = await ask(tx, endClaimed, endValues(run, end, null));
  if (!ended) return false;
  const { agentId: id, companyId } = run;
  const { failures, error, nextRunId } = ended;
  tx.afterCommit(() => tx.context.metrics.runsFinished.inc({ status: end.status }));
  tx.announce(companyId);
  tx.announce(run.id);
  if (ended.isFailure && ended.isActive && failures >= tx.context.config.failuresBeforePause) {
    await pauseAgent(tx, { id, companyId }, 'failures', { failures, error });
  } else if (nextRunId) {
    tx.hint('heartbeat-runs', { runId: nextRunId });
  }
  if (isRetried(run, end)) await planRetry(tx, run, end);
  return true;
}

const isRetried = (run: Ending, end: RunEnd) => end.transient === true && run.retries < MAX_RETRIES;

async function planRetry(tx: Tx, run: Ending, end: RunEnd): Promise<void> {
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
      delayMs: end.retryAfterMs ?? retryDelayMs(run.retries, Math.random()),
      reasons: run.wakeReasons,
    },
  });
}

function endValues(run: Ending, end: RunEnd, failuresBeforePause: number | null) {
  const { status, exitCode, errorCode = null, error = null } = end;
  const { id: runId, epoch } = run;
  const activityId = newId();
  return { runId, epoch, activityId, failuresBeforePause, status, exitCode, errorCode, error };
}

/**
 * Ends a run of this claim and says what is next. With `failuresBeforePause` it returns nothing when the end has to pause
 * the agent.
 */
const endClaimed = statement('end-run', {
  takes: {
    runId: 'uuid',
    epoch: 'int',
    activityId: 'uuid',
    failuresBeforePause: 'int?',
    ...END,
  },
  gives: {
    failures: 'int',
    isFailure: 'bool',
    isActive: 'bool',
    error: 'text?',
    nextRunId: 'uuid?',
  },
  sql: (p) => `
    WITH ${endingSql(p, {
      which: `FROM agent a
        WHERE r.id = ${p.runId} AND r.epoch = ${p.epoch} AND r.status = 'running' AND a.id = r.agent_id
          AND (${p.failuresBeforePause} IS NULL OR NOT ${isFailureSql(p.status)}
            OR NOT ${isActiveSql('a')} OR a.consecutive_failures + 1 < ${p.failuresBeforePause})`,
      activityId: p.activityId,
    })}, settled AS (${endsRunSql('ended')})
    SELECT settled.consecutive_failures AS failures, ${isFailureSql('ended.status')} AS "isFailure",
      settled.is_active AS "isActive", settled.error_reason AS error, next.id AS "nextRunId"
    FROM ended JOIN settled ON settled.id = ended.agent_id
    LEFT JOIN heartbeat_run next ON next.agent_id = ended.agent_id AND next.status = 'queued'`,
});
