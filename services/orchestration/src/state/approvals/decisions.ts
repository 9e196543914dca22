import { ask, type RowOf, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';
import { recordWakeups } from '../wakeups/record-wakeups';

export const IS_UNDECIDED = "approval.status IN ('pending', 'revision_requested')";

export type Decision = 'approved' | 'rejected' | 'revision_requested';

export type Decided = RowOf<typeof writeDecision>;

/**
 * Decides a pending approval and wakes the agent that requested it. One conditional update resolves
 * concurrent decisions; returns null if the approval is not pending.
 */
export async function decide(
  tx: Tx,
  approvalId: string,
  decision: Decision,
  decisionNote: string | null,
): Promise<Decided | null> {
  const decided = await write(tx, approvalId, { decision, decisionNote, option: null });
  if (!decided) return null;
  const { type, hiredAgentId } = decided;
  await tx.record(`approval.${decision}`, approvalId, { type, hiredAgentId });
  await wakeRequester(tx, decided, decision, decisionNote);
  return decided;
}

export async function answer(
  tx: Tx,
  approvalId: string,
  { option, note }: { option: string | null; note: string | null },
): Promise<Decided | null> {
  const given = { decision: 'approved', decisionNote: note, option };
  const answered = await write(tx, approvalId, given);
  if (!answered) return null;
  const { type } = answered;
  await tx.record('approval.answered', approvalId, { type, option });
  await wakeRequester(tx, answered, 'approved', note, { option, note });
  return answered;
}

export async function withdraw(
  tx: Tx,
  approvalId: string,
  decisionNote: string,
): Promise<Decided | null> {
  const given = { decision: 'rejected', decisionNote, option: null };
  const withdrawn = await write(tx, approvalId, given);
  if (!withdrawn) return null;
  const { type, hiredAgentId } = withdrawn;
  await tx.record('approval.withdrawn', approvalId, { type, hiredAgentId });
  return withdrawn;
}

async function write(
  tx: Tx,
  approvalId: string,
  given: { decision: string; decisionNote: string | null; option: string | null },
): Promise<Decided | null> {
  const values = { approvalId, ...given, decidedByUserId: userOf(tx) };
  const [decided] = await ask(tx, writeDecision, values);
  return decided ?? null;
}

export const ONLY_ISSUE = `(SELECT CASE count(*) WHEN 1 THEN (array_agg(l.issue_id))[1] END
  FROM approval_issue l WHERE l.approval_id = approval.id)`;

const writeDecision = statement('decide-approval', {
  takes: {
    approvalId: 'uuid',
    decision: 'text',
    decisionNote: 'text?',
    option: 'text?',
    decidedByUserId: 'text?',
  },
  gives: {
    id: 'uuid',
    type: 'text',
    hiredAgentId: 'uuid?',
    requestedByAgentId: 'uuid?',
    issueId: 'uuid?',
  },
  sql: (p) => `
    UPDATE approval SET status = ${p.decision}, decision_note = ${p.decisionNote},
      answer_option = ${p.option}, decided_by_user_id = ${p.decidedByUserId},
      decided_at = CASE WHEN ${p.decision} <> 'revision_requested' THEN now() END,
      next_step_at = NULL, updated_at = now()
    WHERE id = ${p.approvalId} AND status = 'pending'
    RETURNING id, type, hired_agent_id AS "hiredAgentId",
      requested_by_agent_id AS "requestedByAgentId", ${ONLY_ISSUE} AS "issueId"`,
});

const TERMINATED = 'the agent was terminated';

/**
 * Rejects the open hire requests of a terminated draft and wakes the requesters. The caller holds
 * the draft's lock.
 */
export async function rejectHires(tx: Tx, hiredAgentId: string): Promise<void> {
  const values = { hiredAgentId, decisionNote: TERMINATED, decidedByUserId: userOf(tx) };
  for (const rejected of await ask(tx, writeRejections, values)) {
    const { id, type } = rejected;
    const details = { type, hiredAgentId, reason: 'agent_terminated' };
    await tx.record('approval.rejected', id, details);
    await wakeRequester(tx, rejected, 'rejected', TERMINATED);
  }
}

const writeRejections = statement('reject-hires', {
  takes: { hiredAgentId: 'uuid', decisionNote: 'text', decidedByUserId: 'text?' },
  gives: { id: 'uuid', type: 'text', requestedByAgentId: 'uuid?', issueId: 'uuid?' },
  sql: (p) => `
    UPDATE approval SET status = 'rejected', decision_note = ${p.decisionNote},
      decided_by_user_id = ${p.decidedByUserId}, decided_at = now(), next_step_at = NULL, updated_at = now()
    WHERE hired_agent_id = ${p.hiredAgentId} AND ${IS_UNDECIDED}
    RETURNING id, type, requested_by_agent_id AS "requestedByAgentId",
      ${ONLY_ISSUE} AS "issueId"`,
});

/**
 * Returns a request to the board; the caller holds its lock. The activity stores the replaced
 * payload.
 * @throws ApiError 409 `storage_full`
 */
export async function resubmit(
  tx: Tx,
  approval: { id: string; type: string; payload: unknown },
  payload: Record<string, unknown> | null,
): Promise<void> {
  const { id, type } = approval;
  await ask(tx, writeResubmission, { id, payload });
  await assertTextFits(tx);
  await tx.record('approval.resubmitted', id, {
    type,
    replacedPayload: payload && approval.payload,
  });
}

const writeResubmission = statement('resubmit-approval', {
  takes: { id: 'uuid', payload: 'json?' },
  gives: {},
  sql: ({ id, payload }) => `
    UPDATE approval SET status = 'pending', payload = coalesce(${payload}, payload), updated_at = now()
    WHERE id = ${id}`,
});

export async function lockApproval(tx: Tx, approvalId: string): Promise<void> {
  await ask(tx, lockApprovalRow, { approvalId });
}

const lockApprovalRow = statement('lock-approval', {
  takes: { approvalId: 'uuid' },
  gives: {},
  sql: ({ approvalId }) => `SELECT FROM approval WHERE id = ${approvalId} FOR NO KEY UPDATE`,
});

const userOf = ({ actor }: Tx) => (actor.type === 'board' ? actor.userId : null);

async function wakeRequester(
  tx: Tx,
  { id, type, requestedByAgentId, issueId }: Omit<Decided, 'hiredAgentId'>,
  decision: Decision,
  decisionNote: string | null,
  answered?: { option: string | null; note: string | null },
): Promise<void> {
  if (!requestedByAgentId) return;
  await recordWakeups(tx, {
    agentIds: [requestedByAgentId],
    source: 'approval',
    reason: answered ? 'question_answered' : `approval_${decision}`,
    issueId,
    payload: { approvalId: id, type, decision, decisionNote, ...answered },
  });
}
