import type { CommentView, IssueView, UpdateIssueBody } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../call';
import { assertNoCycle } from '../../state/hierarchy';
import { assertAssignable, wakeAssignee } from '../../state/issues/assignees';
import { changeIssue } from '../../state/issues/change-issue';
import { lockIssue } from '../../state/issues/lock-issue';
import { labelIssue } from '../../state/labels/label-issue';
import { settleRoutineRun } from '../../state/routines/end-firing';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';
import { presentIssue } from './present-issue';
import { assertNotHeldByOther, statusChange } from './status-change';
import { writtenLabels } from './written-labels';

/**
 * @throws ApiError 409 and 422 as `statusChange` says, 409 for another's work in progress, 422 `cycle`, 422 for a new
 * assignee that is terminated or waits for approval
 */
export async function updateIssue(
  call: Call,
  issueId: string,
  body: UpdateIssueBody,
): Promise<IssueView & { comment?: CommentView }> {
  const { comment: written, ...fields } = body;
  const { status, assigneeAgentId, parentId, labels } = fields;
  const decidesNothing = !status && assigneeAgentId === undefined && !parentId && !labels;
  if (decidesNothing && written === undefined) return edit(call, issueId, fields);
  const text = written === undefined ? null : await readCommentText(written);
  return inTransaction(call, async (tx) => {
    const issue = decidesNothing
      ? await edit(tx, issueId, fields)
      : await decideAndEdit(tx, issueId, fields);
    return text ? { ...issue, comment: await addComment(tx, issueId, text) } : issue;
  });
}

type Fields = Omit<UpdateIssueBody, 'comment'>;

/** Fields that have no rules: one statement. */
async function edit(call: Call, issueId: string, fields: Fields): Promise<IssueView> {
  return presentIssue(await changeIssue(call, issueId, fields, recordOf({})));
}

async function decideAndEdit(
  tx: Tx,
  issueId: string,
  { status, labels, ...fields }: Fields,
): Promise<IssueView> {
  const { companyId, runId } = tx;
  const { assigneeAgentId, parentId } = fields;
  const state = await lockIssue(tx, issueId, { agentId: assigneeAgentId ?? null, runId });
  const { issue: before, agent } = state;
  if (parentId) await assertNoCycle(tx, 'issue', companyId, issueId, parentId);
  if (assigneeAgentId !== undefined && assigneeAgentId !== before.assigneeAgentId) {
    assertNotHeldByOther(tx, state);
  }
  const change = status ? statusChange(tx, state, status) : {};
  // Another company's agent is refused by the foreign key.
  const isGiven = agent?.companyId === companyId && agent.id !== before.assigneeAgentId;
  if (isGiven) assertAssignable(agent);
  const moved = change.status && { from: before.status, to: change.status };
  const labelled = labels && (await labelIssue(tx, issueId, writtenLabels(labels)));
  const record = { ...recordOf({ ...moved }), linked: labelled?.isChanged ? ['labels'] : [] };
  const after = await changeIssue(tx, issueId, { ...fields, ...change }, record);
  if (moved) await settleRoutineRun(tx, after);
  if (isGiven) await wakeAssignee(tx, after, agent);
  return presentIssue(after);
}

const recordOf = (details: Record<string, unknown>) =>
  ({ action: 'issue.updated', details }) as const;
