import {
  announce,
  ask,
  bind,
  newId,
  type ParametersOf,
  type RowOf,
  statement,
  trip,
} from '@switchyard/db';
import { inTransaction, systemCall, type Tx } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import type { Metrics } from '../../kernel/metrics';
import { lockAgentRow } from '../agents/lock-agent';
import { openMonth } from '../budgets/budget-stop';
import type { CapReason } from '../budgets/spend-caps';
import type { BudgetReason } from '../budgets/spent';
import { untilDecided } from '../until-decided';
import { explainUnclaimed } from './claims/claimable';
import { type ClaimedRun, claimRow } from './claims/claimed-run';
import { endOfLost, isHandedOver } from './claims/lost-run';
import { parkWakes } from './claims/park-wakes';
import { lockLimitsOfAgent } from './claims/run-limits';
import { AGENT, type Taker, takeOverAfterMs, takerValues, WORKER } from './claims/takers';
import { endRun, lockAgentAndRun } from './end-run';
import { endWaitingRuns } from './ending';
import { recordRunSpan } from './run-trace';

export interface WaitingRun {
  id: string;
  companyId: string;
  agentId: string;
}

/**
 * Claims a waiting run, or one whose lease has expired. Returns null if another worker has the run,
 * the run has ended, or its agent is at its limit. A spent budget cancels the run, and a spent cap
 * parks the wakes of its work. Without `hasPlace`, only ends a run that must end. The taker is the
 * given `runner`, or the agent itself if `fetchedForMs` is given. The start counts as a turn of the
 * company unless `turn` is null.
 */
export async function claimRun(
  context: Context,
  run: WaitingRun,
  workerId: string | null,
  {
    hasPlace = true,
    turn = null,
    fetchedForMs,
    runner,
  }: {
    hasPlace?: boolean;
    turn?: number | null;
    fetchedForMs?: number;
    runner?: ClaimingRunner;
  } = {},
): Promise<ClaimedRun | null> {
  const { leaseMs, maxRunningRunsPerCompany: maxRunning, runner: runners } = context.config;
  const taker = runner?.taker ?? (fetchedForMs === undefined ? WORKER : AGENT);
  const claim = {
    runId: run.id,
    activityId: newId(),
    workerId,
    leaseMs: fetchedForMs ?? (runner ? (runner.leaseMs ?? runners.leaseMs) : leaseMs),
    runnerInstance: runner?.instance ?? null,
    ticketHash: runner?.ticketHash ?? null,
    nextSeq: runner?.seq ?? 0,
    maxRunning,
    turn,
    takeOverAfterMs: takeOverAfterMs(context),
    ...takerValues(context, taker),
  };
  const { claimed } = await untilDecided<{ claimed: ClaimedRun | null }>(
    async () => {
      const claimed = hasPlace ? await begin(context, run, claim) : null;
      return claimed && { claimed };
    },
    () => endOrExplain(context, run, claim, hasPlace),
  );
  return claimed;
}

type Claim = ParametersOf<typeof claimRow>;

export interface ClaimingRunner {
  taker: Taker;
  instance: string;
  seq?: number | undefined;
  ticketHash: Uint8Array<ArrayBuffer>;
  leaseMs?: number;
}

async function begin(
  context: Context,
  { agentId, companyId }: WaitingRun,
  claim: Claim,
): Promise<ClaimedRun | null> {
  const { db, metrics } = context;
  const { runnerInstance: instance, maxRunning } = claim;
  const locks = [
    instance === null
      ? bind(lockAgentRow, { agentId })
      : bind(lockInstanceAndAgent, { instance, agentId }),
  ];
  locks.push(bind(lockLimitsOfAgent, { agentId }));
  if (maxRunning > 0) locks.push(bind(lockRunsOfCompany, { companyId }));
  const [claimed] = await trip(db, locks, claimRow, claim);
  if (!claimed) return null;
  countBegin(metrics, claimed);
  announce(db, companyId);
  await recordEarlierAttempt(context, claimed);
  return claimed;
}

async function recordEarlierAttempt(
  context: Context,
  { id, began, epoch, attempt }: RowOf<typeof claimRow>,
): Promise<void> {
  if (began === 'started') return;
  const earlier = began === 'taken_over' ? attempt - 1 : attempt;
  await recordRunSpan(context, id, { epoch: epoch - 1, attempt: earlier });
}

function countBegin(metrics: Metrics, run: RowOf<typeof claimRow>): void {
  if (run.began === 'taken_over') metrics.leaseExpiries.inc({ outcome: 'taken_over' });
  if (run.began !== 'started') return;
  const mightStart = Math.max(
    Date.parse(run.createdAt),
    run.notBefore ? Date.parse(run.notBefore) : 0,
  );
  metrics.runsStarted.inc({ source: run.source });
  const waited = run.startedAt ? Date.parse(run.startedAt) - mightStart : 0;
  metrics.runWait.observe(Math.max(0, waited) / 1000);
}

const UNCLAIMED = { claimed: null };

async function endOrExplain(
  context: Context,
  { companyId }: WaitingRun,
  claim: Claim,
  hasPlace: boolean,
): Promise<typeof UNCLAIMED | null> {
  const [found] = await ask(context.db, explainUnclaimed, claim);
  if (found?.loss || found?.stop || found?.cap) {
    await inTransaction(systemCall(context, companyId), (tx) => endInstead(tx, claim));
    return UNCLAIMED;
  }
  if (!found?.mayClaim || !hasPlace) return UNCLAIMED;
  if (found.lacksMonth) await openMonth(context.db, companyId);
  return null;
}

async function endInstead(tx: Tx, claim: Claim): Promise<void> {
  const locks = [bind(lockAgentAndRun, { runId: claim.runId })];
  const [found] = await trip(tx, locks, explainUnclaimed, claim);
  if (found?.loss) {
    const { leaseExpiries } = tx.context.metrics;
    if (!isHandedOver(found)) tx.afterCommit(() => leaseExpiries.inc({ outcome: 'ended' }));
    await endRun(tx, found, endOfLost(found));
  } else if (found?.stop) {
    await endWaitingRuns(tx, [found.agentId], found.stop as BudgetReason);
  } else if (found?.cap) {
    await parkWakes(tx, found, found.cap as CapReason);
  }
}

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
