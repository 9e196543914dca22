import { ApiError } from '@switchyard/server';
import type { IssuePriority, RoutineRunView } from '@switchyard/types';
import type { Tx } from '../../../kernel/call';
import { insertIssue } from '../../../state/issues/insert-issue';
import { issueNumbers } from '../../../state/issues/issue-numbers';
import { countSelfWake } from '../../../state/routines/count-self-wake';
import type { LockedForFiring } from '../../../state/routines/lock-for-firing';
import { type Firing, type Outcome, recordFiring } from '../../../state/routines/record-firing';

/**
 * The only function that fires a routine: applies the concurrency policy, creates the issue,
 * records the firing and wakes the assignee.
 */
export async function fireRun(
  tx: Tx,
  routine: LockedForFiring,
  firing: Firing,
): Promise<RoutineRunView> {
  const { outcome, wakesFor } = await decide(tx, routine, firing);
  const { linkedIssueId: issueId } = outcome;
  const wake = wakesFor &&
    issueId && {
      reason: routine.title,
      issueId,
      routineRunId: wakesFor,
      payload: wakePayload(firing, { id: firing.id, routineId: routine.id }),
    };
  return (await recordFiring(tx, routine, firing, outcome, wake || null)) as RoutineRunView;
}

interface Decision {
  outcome: Outcome;
  wakesFor: string | null;
}

const NOTHING = { linkedIssueId: null, activeRunId: null, failureReason: null };

async function decide(tx: Tx, routine: LockedForFiring, firing: Firing): Promise<Decision> {
  const { activeRunId, isLive } = routine;
  const joins = joined(routine);
  if (joins && isLive) return { outcome: joins, wakesFor: null };
  if (!(await mayWake(tx, routine))) {
    const failureReason = SELF_WAKE_LIMIT;
    return { outcome: { ...NOTHING, status: 'cancelled', failureReason }, wakesFor: null };
  }
  if (joins) return { outcome: joins, wakesFor: activeRunId };
  const outcome = await makeIssue(tx, routine, firing);
  return { outcome, wakesFor: outcome.linkedIssueId && firing.id };
}

function joined({ joinsAs, activeIssueId, activeRunId }: LockedForFiring): Outcome | null {
  const status = joinsAs as 'coalesced' | 'skipped' | null;
  return status && { ...NOTHING, status, linkedIssueId: activeIssueId, activeRunId };
}

/**
 * Reason that is recorded when an agent is not woken because it could use this trigger to wake
 * itself forever.
 */
const SELF_WAKE_LIMIT = 'self_wake_limit';

/**
 * Counts a firing and returns whether it may wake the routine's assignee. Triggers that an agent
 * created, or whose secret it has, share an hourly limit, so that an agent cannot wake itself
 * forever. The limit does not apply to identified callers.
 */
async function mayWake(tx: Tx, routine: LockedForFiring): Promise<boolean> {
  const { actor } = tx;
  if (!routine.triggerMadeByAgent || actor.type === 'board' || actor.type === 'agent') return true;
  const { config, metrics } = tx.context;
  const { companyId, assigneeAgentId: agentId } = routine;
  const may = await countSelfWake(tx, { companyId, agentId, perHour: config.selfWakesPerHour });
  if (!may) tx.afterCommit(() => metrics.countWake('routine', 'suppressed'));
  return may;
}

/**
 * Creates the run's issue. A domain error, e.g. for a terminated assignee, becomes the run's
 * failure reason.
 */
async function makeIssue(tx: Tx, routine: LockedForFiring, firing: Firing): Promise<Outcome> {
  try {
    const issueNumber = await issueNumbers(tx.context).take(tx.companyId);
    const fields = {
      issueNumber,
      title: routine.title,
      description: routine.description,
      status: 'todo',
      priority: routine.priority as IssuePriority,
      assigneeAgentId: routine.assigneeAgentId,
      projectId: routine.projectId,
      goalId: routine.goalId,
      parentId: routine.parentIssueId,
      originRoutineRunId: firing.id,
    } as const;
    const { issue } = await insertIssue(tx, fields, 'quietly');
    return { ...NOTHING, status: 'issue_created', linkedIssueId: issue.id };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...NOTHING, status: 'failed', failureReason: error.message };
  }
}

/** Wake lists contain payloads and must fit into an environment variable of 128 KiB. */
const MAX_WAKE_PAYLOAD_BYTES = 16_384;

/**
 * Returns the payload, or where to read it if it is too large. Adds the sender's delivery data as
 * `_delivery`.
 */
function wakePayload(
  { payload, delivery }: Pick<Firing, 'payload' | 'delivery'>,
  run: { id: string; routineId: string },
): Record<string, unknown> {
  const sender = delivery ? { _delivery: delivery } : {};
  const about = { routineId: run.routineId, routineRunId: run.id, ...sender };
  if (payload === null) return about;
  const byteSize = Buffer.byteLength(JSON.stringify(payload));
  if (byteSize <= MAX_WAKE_PAYLOAD_BYTES) return { ...payload, ...sender };
  const readAt = `/api/routines/${run.routineId}/runs/${run.id}`;
  return { ...about, omitted: true, byteSize, readAt };
}
