import type { ApprovalModel } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Call } from '../../kernel/call';

export async function getApproval(call: Call, approvalId: string): Promise<ApprovalView> {
  const approval = await call.db.prisma.approval.findUnique({ where: { id: approvalId } });
  if (!approval) throw notFound('approval');
  return presentApproval(approval);
}

function presentApproval(row: ApprovalModel): ApprovalView {
  return {
    id: row.id,
    companyId: row.companyId,
    type: row.type as ApprovalView['type'],
    status: row.status as ApprovalView['status'],
    payload: row.payload as Record<string, unknown>,
    requestedByAgentId: row.requestedByAgentId,
    requestedByUserId: row.requestedByUserId,
    decidedByUserId: row.decidedByUserId,
    decisionNote: row.decisionNote,
    decision: answerOf(row),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
    onDeadline: row.onDeadline as ApprovalView['onDeadline'],
    deadlinePassedAt: row.deadlinePassedAt?.toISOString() ?? null,
    escalation: row.escalation as unknown as ApprovalView['escalation'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function answerOf(
  row: Pick<ApprovalModel, 'type' | 'status' | 'answerOption' | 'decisionNote'>,
) {
  if (row.type !== 'board_question' || row.status !== 'approved') return null;
  return { option: row.answerOption, note: row.decisionNote };
}
