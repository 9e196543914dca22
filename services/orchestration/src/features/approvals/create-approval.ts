import { invalidField } from '@switchyard/server';
import type { ApprovalView, BoardQuestion, CreateApprovalBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { insertApproval } from '../../state/approvals/insert-approval';
import { assertReferenced } from '../../state/references';
import { getApproval } from './approvals';
import { checkDeadline } from './deadlines/check-deadline';

/**
 * @throws ApiError 400 for a hire (use `createHire`) and for an impossible deadline; 403 if an agent requests in another's
 * name; 403 and 422 for issues of other companies
 */
export async function createApproval(call: Call, body: CreateApprovalBody): Promise<ApprovalView> {
  if (body.type === 'hire_agent') {
    throw invalidField(
      'type',
      'must not be hire_agent: request a hire with POST /api/companies/{companyId}/agent-hires',
    );
  }
  const { actor } = call;
  if (body.requestedByAgentId) assertSelfOrBoard(call, body.requestedByAgentId);
  const own = actor.type === 'agent' ? actor.agentId : null;
  const asked = issuesOfQuestion(body);
  return inTransaction(call, async (tx) => {
    await assertIssues(tx, asked);
    const { type, payload = {}, deadlineAt, onDeadline, escalation } = body;
    const sent = { deadlineAt, onDeadline, escalation };
    const deadline = await checkDeadline(tx, { type, payload }, sent, null);
    const approvalId = await insertApproval(tx, {
      type,
      payload,
      requestedByAgentId: body.requestedByAgentId ?? own,
      issueIds: [...(body.issueIds ?? []), ...asked].map((id) => id.toLowerCase()),
      deadline,
    });
    return getApproval(tx, approvalId);
  });
}

function issuesOfQuestion({ type, payload }: CreateApprovalBody): string[] {
  return type === 'board_question' ? ((payload as BoardQuestion).issueIds ?? []) : [];
}

async function assertIssues(tx: Tx, issueIds: string[]): Promise<void> {
  if (issueIds.length === 0) return;
  const where = { id: { in: issueIds } };
  const found = await tx.prisma.issue.findMany({ where, select: { id: true, companyId: true } });
  const byId = new Map(found.map((issue) => [issue.id, issue]));
  for (const id of issueIds) {
    assertReferenced(byId.get(id.toLowerCase()), tx.companyId, 'payload.issueIds', id);
  }
}
