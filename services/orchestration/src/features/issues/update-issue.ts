import { conflict } from '@switchyard/server';
import type { UpdatedIssueView, UpdateIssueBody, WakeOutcome } from '@switchyard/types';
import { namedAssignees } from '../../access/named-person';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { assertNoCycle, lockHierarchy } from '../../state/hierarchy';
import { notMember } from '../../state/issues/assigned-person';
import {
  assertAssignable,
  readAssignee,
  skipped,
  wakeAssignee,
  wakeFor,
} from '../../state/issues/assignees';
import { type OpenBlockers, replaceBlockers } from '../../state/issues/blockers';
import { changeIssue } from '../../state/issues/change-issue';
import type { IssueRow } from '../../state/issues/issue-columns';
import { lockIssue } from '../../state/issues/lock-issue';
import { labelIssue } from '../../state/labels/label-issue';
import { settleRoutineRun } from '../../state/routines/end-firing';
import { isOver } from '../../state/statuses/issue-status';
import { assertMayWake } from '../../state/wakeups/assert-may-wake';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';
import { presentIssue } from './present-issue';
import { assertNotHeldByOther, statusChange, UNLOCKED } from './status-change';
import { writtenLabels } from './written-labels';

/**
 * @throws ApiError 400 for a `wake` that an agent may not send; 409 `stale_revision`,
 * `storage_full`, or for another's work in progress; 409 and 422 of `statusChange`; 422 `cycle` of
 * parents or blockers, or for an invalid assignee
 */
export async function updateIssue(
  call: Call,
  issueId: string,
  body: UpdateIssueBody,
): Promise<UpdatedIssueView> {
  const { comment: written, blockedBy, wake, revision, ...named } = body;
  assertMayWake(call, wake);
  const fields = namedAssignees(call, named);
  const { status, assigneeAgentId, assigneeUserId, parentId, labels } = fields;
  const isGiven = assigneeAgentId !== undefined || assigneeUserId !== undefined;
  const decidesNothing =
    !status && !isGiven && !parentId && !blockedBy && !labels && revision === undefined;
  if (decidesNothing && written === undefined) return edit(call, issueId, fields);
  const text = written === undefined ? null : await readCommentText(written);
  return inTransaction(call, async (tx) => {
    const issue = decidesNothing
      ? await edit(tx, issueId, fields)
      : await decideAndEdit(tx, issueId, fields, {
          blockedBy,
          wake,
          revision,
          isAnswered: text !== null,
        });
    if (!text) return issue;
    const decided = issue.woken.map(({ agentId }) => agentId);
    return { ...issue, comment: await addComment(tx, issueId, text, { wake, decided }) };
  });
}

type Fields = Omit<UpdateIssueBody, 'comment' | 'blockedBy' | 'wake' | 'revision'>;

interface Step {
  blockedBy: string[] | undefined;
  wake: boolean | undefined;
  revision: number | undefined;
  isAnswered: boolean;
}

async function edit(call: Call, issueId: string, fields: Fields): Promise<UpdatedIssueView> {
  const { labels: _, ...own } = fields;
  const issue = await changeIssue(call, issueId, own, recordOf({}));
  return { ...presentIssue(issue), woken: [] };
}

async function decideAndEdit(
  tx: Tx,
  issueId: string,
  { status, labels, ...fields }: Fields,
  step: Step,
): Promise<UpdatedIssueView> {
  const { blockedBy, wake } = step;
  const { companyId, runId } = tx;
  const { assigneeAgentId = null, assigneeUserId = null, parentId } = fields;
  const parts = { agentId: assigneeAgentId, userId: assigneeUserId, runId };
  if (blockedBy && blockedBy.length > 0) await lockHierarchy(tx, 'issue_blocker', companyId);
  if (parentId) await lockHierarchy(tx, 'issue', companyId);
  const state = await lockIssue(tx, issueId, parts);
  const { issue: before, agent } = state;
  assertCurrent(before, step.revision);
  if (parentId) await assertNoCycle(tx, 'issue', companyId, issueId, parentId);
  const reassigned = isReassigned(before, fields);
  if (reassigned) assertNotHeldByOther(tx, state);
  const change = status ? statusChange(tx, state, status) : {};
  const { checkoutUserId = before.checkoutUserId } = change;
  if (reassigned && checkoutUserId !== null) Object.assign(change, UNLOCKED);
  const isGiven = agent?.companyId === companyId && agent.id !== before.assigneeAgentId;
  if (isGiven) assertAssignable(agent);
  if (assigneeUserId !== null && reassigned && !state.isMember) throw notMember();
  const blockers = blockedBy && (await replaceBlockers(tx, issueId, blockedBy));
  const moved = change.status && { from: before.status, to: change.status };
  const labelled = labels && (await labelIssue(tx, issueId, writtenLabels(labels)));
  const record = { ...recordOf({ ...moved }), linked: labelled?.isChanged ? ['labels'] : [] };
  const after = await changeIssue(tx, issueId, { ...fields, ...change }, record);
  if (moved) await settleRoutineRun(tx, after);
  if (wake === false) {
    const woken = isGiven ? [skipped(agent.id, 'the request contains wake: false')] : [];
    return { ...presentIssue(after), woken };
  }
  const woken = isGiven
    ? [await wakeAssignee(tx, after, agent)]
    : await wakeUnblocked(tx, after, blockers);
  if (moved && woken.length === 0) woken.push(...(await wakeHandedBack(tx, after, before, step)));
  return { ...presentIssue(after), woken };
}

const HANDED_BACK: Readonly<Record<string, string>> = {
  'blocked todo': 'unblocked',
  'in_review in_progress': 'sent_back',
};

/**
 * Wakes the assignee when a person unblocks or returns an issue or moves it out of the backlog,
 * unless a comment already wakes the assignee. Agents use mentions instead.
 */
async function wakeHandedBack(
  tx: Tx,
  issue: IssueRow,
  { status: from }: IssueRow,
  { isAnswered }: Step,
): Promise<WakeOutcome[]> {
  const { id, status, assigneeAgentId } = issue;
  if (tx.actor.type !== 'board' || isAnswered || assigneeAgentId === null) return [];
  const reason = HANDED_BACK[`${from} ${status}`];
  if (reason) return [await wakeFor(tx, id, assigneeAgentId, { reason, payload: { issueId: id } })];
  const assignee = status === 'todo' ? await readAssignee(tx, assigneeAgentId) : null;
  return assignee ? [await wakeAssignee(tx, issue, assignee)] : [];
}

/** Wakes the assignee if the last open blocker was removed, unless the assignee removed it. */
async function wakeUnblocked(
  tx: Tx,
  { id, status, assigneeAgentId }: IssueRow,
  blockers: OpenBlockers | undefined,
): Promise<WakeOutcome[]> {
  const isFreed = blockers !== undefined && blockers.before > 0 && blockers.after === 0;
  if (!isFreed || isOver(status) || assigneeAgentId === null) return [];
  if (tx.actor.type === 'agent' && tx.actor.agentId === assigneeAgentId) return [];
  const payload = { issueId: id };
  return [await wakeFor(tx, id, assigneeAgentId, { reason: 'blockers_removed', payload })];
}

function assertCurrent(issue: IssueRow, revision: number | undefined): void {
  if (revision === undefined || revision === issue.revision) return;
  const message = `the issue has changed since revision ${revision}: read revision ${issue.revision}, then repeat your change`;
  throw conflict('stale_revision', message, {
    revision,
    currentRevision: issue.revision,
    current: presentIssue(issue),
    retry: false,
  });
}

function isReassigned(before: IssueRow, { assigneeAgentId, assigneeUserId }: Fields): boolean {
  const isOther = (to: string | null | undefined, from: string | null) =>
    to !== undefined && to !== from;
  return (
    isOther(assigneeAgentId, before.assigneeAgentId) ||
    isOther(assigneeUserId, before.assigneeUserId)
  );
}

const recordOf = (details: Record<string, unknown>) =>
  ({ action: 'issue.updated', details }) as const;
