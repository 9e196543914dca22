import { ask, bind, newId, type RowOf, select, statement, trip } from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { endsRunSql } from '../agents/run-transitions';
import { isFailure } from '../statuses/run-status';
import type { ClaimedRun } from './claims/claimed-run';
import { isHeldBySql, TICKET, type Ticket } from './claims/held-runs';
import { END, endingSql } from './ending';
import { enqueueRun } from './enqueue-run';
import { pauseAgent } from './pause-agent';
import { retryDelayMs } from './retry-delay';
import { recordRunSpan } from './run-trace';

export interface RunEnd {
  status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled';
  exitCode: number | null;
  errorCode?: string;
  error?: string;
  /**
   * True for a failure that may be temporary; `retryAfterMs` is the delay that the peer requests.
   */
  transient?: boolean;
  retryAfterMs?: number;
}

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

const MAX_RETRIES = 3;

/**
 * Ends a claimed run. Result, locks, agent state, retry and next hint are written in one
 * transaction, and in one round trip unless the run failed. Returns false, and writes nothing, if
 * the claim is outdated.
 */
export async function finishRun(context: Context, run: Ending, end: RunEnd): Promise<boolean> {
  const isEnded = isFailure(end)
    ? await endFailed(context, run, end)
    : await endAlone(context, run, end);
  if (!isEnded) context.metrics.staleWrites.inc();
  return isEnded;
}

function endFailed(context: Context, run: Ending, end: RunEnd): Promise<boolean> {
  return inTransaction(systemCall(context, run.companyId), async (tx) => {
    await ask(tx, lockAgentAndRun, { runId: run.id });
    return endRun(tx, run, end);
  });
}

async function endAlone(context: Context, run: Ending, end: RunEnd): Promise<boolean> {
  const locks = [bind(lockAgentAndRun, { runId: run.id })];
  const [ended] = await trip(context.db, locks, endClaimed, endValues(run, end));
  if (!ended) return false;
  await announceEnd(context, run, end, ended.nextRunId);
  await logEnd(context, run, { ...end, ...ended });
  return true;
}

export type EndedRun = RowOf<typeof endHeld>;

/**
 * Ends a run by its runner's ticket. Returns null, and writes nothing, if the ticket is outdated or
 * `end` is a failure.
 */
export async function endHeldRun(
  context: Context,
  ticket: Ticket,
  end: RunEnd,
): Promise<EndedRun | null> {
  if (isFailure(end)) return null;
  const locks = [bind(lockAgentAndRun, { runId: ticket.runId })];
  const values = { ...ticket, ...endColumns(end), activityId: newId() };
  const [ended] = await trip(context.db, locks, endHeld, values);
  if (!ended) return null;
  await announceEnd(context, ended, end, ended.nextRunId);
  return ended;
}

async function announceEnd(
  { db, hints, metrics }: Context,
  run: Pick<Ending, 'id' | 'companyId'>,
  { status }: RunEnd,
  nextRunId: string | null,
): Promise<void> {
  metrics.runsFinished.inc({ status });
  db.announce(new Set([run.companyId, run.id]));
  if (nextRunId) await hints.hint('heartbeat-runs', { runId: nextRunId });
}

export async function logEnd(
  context: Pick<Context, 'db' | 'logger'>,
  { id: runId, companyId, agentId }: Pick<Ending, 'id' | 'companyId' | 'agentId'>,
  end: Pick<RunEnd, 'status' | 'exitCode'> & Measured,
): Promise<void> {
  const { status, exitCode, errorCode, ranForMs: durationMs, costCents } = end;
  const facts = { status, exitCode, errorCode, durationMs, costCents };
  context.logger.info('run ended', { runId, companyId, agentId, ...facts });
  await recordRunSpan(context, runId);
}

export async function endRun(tx: Tx, run: Ending, end: RunEnd): Promise<boolean> {
  const [ended] = await ask(tx, endClaimed, endValues(run, end));
  if (!ended) return false;
  const { agentId: id, companyId } = run;
  const { failures, error, nextRunId } = ended;
  tx.afterCommit(() => {
    tx.context.metrics.runsFinished.inc({ status: end.status });
    return logEnd(tx.context, run, { ...end, ...ended });
  });
  tx.announce(companyId);
  tx.announce(run.id);
  if (isFailure(end) && ended.isActive && failures >= tx.context.config.failuresBeforePause) {
    await pauseAgent(tx, { id, companyId }, 'failures', { failures, error });
  } else if (nextRunId) {
    tx.hint('heartbeat-runs', { runId: nextRunId });
  }
  if (end.transient && run.retries < MAX_RETRIES) await planRetry(tx, run, end);
  return true;
}

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

function endValues(run: Ending, end: RunEnd) {
  const { id: runId, epoch } = run;
  return { runId, epoch, activityId: newId(), ...endColumns(end) };
}

function endColumns(end: RunEnd) {
  const { status, exitCode, errorCode = null, error = null } = end;
  return { status, exitCode, errorCode, error };
}

const MEASURED = { errorCode: 'text?', ranForMs: 'bigint', costCents: 'bigint' } as const;
const measuredSql = `ended.error_code AS "errorCode", ended.ran_for_ms AS "ranForMs", ended.cost_cents AS "costCents"`;

type Measured = Pick<RowOf<typeof endClaimed>, keyof typeof MEASURED>;

const TOLD = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  correlationId: 'text?',
  traceContext: 'text?',
} as const;

const ENDS = { activityId: 'uuid', ...END } as const;

const endsClaimSql = (p: Readonly<Record<keyof typeof ENDS, string>>, isClaim: string) => ({
  ctes: `${endingSql(p, {
    which: `WHERE ${isClaim} AND r.status = 'running'`,
    activityId: p.activityId,
  })}, settled AS (${endsRunSql('ended')})`,
  next: `LEFT JOIN heartbeat_run next ON next.agent_id = ended.agent_id AND next.status = 'queued'`,
});

const endClaimed = statement('end-run', {
  takes: { runId: 'uuid', epoch: 'int', ...ENDS },
  gives: {
    failures: 'int',
    isActive: 'bool',
    error: 'text?',
    nextRunId: 'uuid?',
    ...MEASURED,
  },
  onePlan: true,
  sql: (p) => {
    const { ctes, next } = endsClaimSql(p, `r.id = ${p.runId} AND r.epoch = ${p.epoch}`);
    return `
    WITH ${ctes}
    SELECT settled.consecutive_failures AS failures,
      settled.is_active AS "isActive", settled.error_reason AS error, next.id AS "nextRunId",
      ${measuredSql}
    FROM ended JOIN settled ON settled.id = ended.agent_id ${next}`;
  },
});

const endHeld = statement('end-held-run', {
  takes: { ...TICKET, ...ENDS },
  gives: { ...TOLD, ...MEASURED, instance: 'uuid?', nextRunId: 'uuid?' },
  onePlan: true,
  sql: (p) => {
    const { ctes, next } = endsClaimSql(p, isHeldBySql('r', p));
    return `
    WITH ${ctes}
    SELECT ${select(TOLD, 'r')}, ${measuredSql}, r.runner_instance AS instance, next.id AS "nextRunId"
    FROM ended JOIN settled ON settled.id = ended.agent_id JOIN heartbeat_run r ON r.id = ended.id ${next}`;
  },
});

export const lockAgentAndRun = statement('lock-agent-and-run', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) => `
    WITH of_run AS MATERIALIZED (
      SELECT id FROM agent WHERE id = (SELECT agent_id FROM heartbeat_run WHERE id = ${runId})
      FOR NO KEY UPDATE
    )
    SELECT FROM heartbeat_run WHERE id = ${runId} AND EXISTS (SELECT FROM of_run) FOR UPDATE`,
});
