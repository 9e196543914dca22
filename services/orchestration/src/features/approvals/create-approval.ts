import { inTransaction } from '@switchyard/db';
import { invalidField } from '@switchyard/server';
import type { ApprovalView, CreateApprovalBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { assertSelfOrBoard } from '../../access/rules';
import { insertApproval } from './insert-approval';
import { presentApproval } from './present-approval';

/**
 * Asks the board for a decision. A hire is asked for by `createHire`, which makes the draft with it.
 * @throws Refusal 400 for a hire, 403 when an agent asks in another's name
 */
export async function createApproval(
  scope: Scope,
  body: CreateApprovalBody,
): Promise<ApprovalView> {
  if (body.type === 'hire_agent') {
    throw invalidField('type', 'a hire is requested with POST /api/companies/{id}/agent-hires');
  }
  const { actor } = scope;
  if (body.requestedByAgentId) assertSelfOrBoard(scope, body.requestedByAgentId);
  const own = actor.type === 'agent' ? actor.agentId : null;
  return inTransaction(scope.db, async (tx) => {
    const approval = await insertApproval(tx, scope, {
      type: body.type,
      payload: body.payload ?? {},
      requestedByAgentId: body.requestedByAgentId ?? own,
      issueIds: body.issueIds ?? [],
    });
    return presentApproval(approval);
  });
}
