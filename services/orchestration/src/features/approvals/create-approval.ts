import { invalidField } from '@switchyard/server';
import type { ApprovalView, BoardQuestion, CreateApprovalBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../call';
import { insertApproval } from '../../state/approvals/insert-approval';
import { presentApproval } from './approvals';

/**
 * Asks the board for a decision. A hire is asked for by `createHire`, which makes the draft with it.
 * @throws ApiError 400 for a hire, 403 when an agent asks in another's name
 */
export async function createApproval(call: Call, body: CreateApprovalBody): Promise<ApprovalView> {
  if (body.type === 'hire_agent') {
    throw invalidField('type', 'a hire is requested with POST /api/companies/{id}/agent-hires');
  }
  const { actor } = call;
  if (body.requestedByAgentId) assertSelfOrBoard(call, body.requestedByAgentId);
  const own = actor.type === 'agent' ? actor.agentId : null;
  return inTransaction(call, async (tx) => {
    const approval = await insertApproval(tx, {
      type: body.type,
      payload: body.payload ?? {},
      requestedByAgentId: body.requestedByAgentId ?? own,
      issueIds: [...(body.issueIds ?? []), ...issuesOfQuestion(body)],
    });
    return presentApproval(approval);
  });
}

function issuesOfQuestion({ type, payload }: CreateApprovalBody): string[] {
  return type === 'board_question' ? ((payload as BoardQuestion).issueIds ?? []) : [];
}
