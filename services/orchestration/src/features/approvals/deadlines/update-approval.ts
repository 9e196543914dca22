import type { ApprovalView, DeadlineFields } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockPending, writeDeadline } from '../../../state/approvals/deadlines';
import { alreadyDecided } from '../already-decided';
import { getApproval } from '../approvals';
import { checkDeadline } from './check-deadline';

export async function updateApproval(
  call: Call,
  approvalId: string,
  body: DeadlineFields,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    const request = await getApproval(tx, approvalId);
    const sent = Object.keys(body).length > 0;
    if (!sent) return request;
    const before = await lockPending(tx, approvalId);
    if (!before) throw alreadyDecided(await getApproval(tx, approvalId));
    await writeDeadline(tx, approvalId, await checkDeadline(tx, request, body, before));
    await tx.record('approval.updated', approvalId, { changed: Object.keys(body) });
    return getApproval(tx, approvalId);
  });
}
