import type { RoutineModel, RoutineRunModel } from '@switchyard/db';
import { afterCommit } from '@switchyard/db';
import { ApiError } from '@switchyard/server';
import type { ConcurrencyPolicy, IssuePriority, RoutineRunStatus } from '@switchyard/types';
import type { Tx } from '../../../call';
import { recordActivities } from '../../../state/activity';
import { insertIssue } from '../../../state/issues/insert-issue';
import { countSelfWake } from '../../../state/routines/count-self-wake';
import { settleTrigger } from '../../../state/routines/settle-trigger';
import { recordWakeups } from '../../../state/wakeups/record-wakeups';
import { decideConcurrency } from './decide-concurrency';
import { findActiveRun } from './find-active-run';
import { wakePayload } from './wake-payload';

interface Outcome {
  status: RoutineRunStatus;
  linkedIssueId: string | null;
  activeRunId: string | null;
  failureReason: string | null;
}

const NOTHING = { linkedIssueId: null, activeRunId: null, failureReason: null };

async function wake(
  tx: Tx,
  fired: { routine: RoutineModel; run: RoutineRunModel; issueId: string; servedRunId: string },
): Promise<void> {
  const { routine, run, issueId, servedRunId } = fired;
  await recordWakeups(tx, {
    agentIds: [routine.assigneeAgentId],
    source: 'routine',
    issueId,
    routineRunId: servedRunId,
    reason: routine.title,
    payload: wakePayload(run.payload, run),
  });
}

/** The issue that a run is done by; a refusal, e.g. of a terminated assignee, is what the run failed of. */
async function makeIssue(tx: Tx, routine: RoutineModel, run: RoutineRunModel): Promise<Outcome> {
  try {
    const { issue } = await insertIssue(tx, {
      title: routine.title,
      description: routine.description,
      status: 'todo',
      priority: routine.priority as IssuePriority,
      assigneeAgentId: routine.assigneeAgentId,
      projectId: routine.projectId,
      goalId: routine.goalId,
      parentId: routine.parentIssueId,
      originRoutineRunId: run.id,
    });
    return { ...NOTHING, status: 'issue_created', linkedIssueId: issue.id };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...NOTHING, status: 'failed', failureReason: error.message };
  }
}

/** Why nobody was woken: by this trigger its agent could wake itself for ever. */
const SELF_WAKE_LIMIT = 'self_wake_limit';

async function mayWake(tx: Tx, routine: RoutineModel, run: RoutineRunModel): Promise<boolean> {
  const { config, metrics } = tx.context;
  const may = await countSelfWake(tx, {
    actor: tx.actor,
    triggerId: run.triggerId,
    companyId: routine.companyId,
    agentId: routine.assigneeAgentId,
    perHour: config.selfWakesPerHour,
  });
  if (!may) afterCommit(tx, () => metrics.countWake('routine', 'suppressed'));
  return may;
}

async function decide(tx: Tx, routine: RoutineModel, run: RoutineRunModel): Promise<Outcome> {
  const active = await findActiveRun(tx, routine.id);
  const policy = routine.concurrencyPolicy as ConcurrencyPolicy;
  const decision = decideConcurrency(policy, active?.id ?? null);
  const wakes = decision.outcome === 'issue_created' || !active?.isLive;
  if (wakes && !(await mayWake(tx, routine, run))) {
    return { ...NOTHING, status: 'cancelled', failureReason: SELF_WAKE_LIMIT };
  }
  if (decision.outcome === 'issue_created' || !active) {
    const made = await makeIssue(tx, routine, run);
    const { linkedIssueId: issueId } = made;
    if (issueId) await wake(tx, { routine, run, issueId, servedRunId: run.id });
    return made;
  }
  const { issueId, id: activeRunId } = active;
  if (!active.isLive) {
    await wake(tx, { routine, run, issueId, servedRunId: activeRunId });
  }
  return { ...NOTHING, status: decision.outcome, linkedIssueId: issueId, activeRunId };
}

/**
 * The one way a routine fires, whatever the source (guarantee G16): the concurrency policy, the issue, the
 * wake of the assignee, the record of it all. Needs the routine's lock and a run that is pending.
 */
export async function fireRun(tx: Tx, routine: RoutineModel, run: RoutineRunModel): Promise<void> {
  const { companyId } = routine;
  const scope = { ...tx, companyId, db: tx };
  const outcome = await decide(tx, routine, run);
  const { status, linkedIssueId, activeRunId, failureReason } = outcome;
  await tx.prisma.$executeRaw`
    UPDATE routine_run SET status = ${status}, linked_issue_id = ${linkedIssueId}::uuid,
      active_run_id = ${activeRunId}::uuid, failure_reason = ${failureReason},
      completed_at = CASE ${status} WHEN 'issue_created' THEN NULL ELSE clock_timestamp() END
    WHERE id = ${run.id}::uuid`;
  if (run.triggerId) await settleTrigger(tx, run.triggerId, failureReason);
  await recordActivities(tx, [
    {
      companyId,
      actor: scope.actor,
      runId: scope.runId,
      action: 'routine.fired',
      entityType: 'routine',
      entityId: routine.id,
      details: {
        routineRunId: run.id,
        triggerId: run.triggerId,
        source: run.source,
        status,
        issueId: linkedIssueId,
        ...(failureReason && { failureReason }),
      },
    },
  ]);
}
