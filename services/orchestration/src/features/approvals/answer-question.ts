import { unprocessable } from '@switchyard/server';
import type { AnswerBody, ApprovalView, BoardQuestion } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { answer } from '../../state/approvals/decisions';
import { alreadyDecided } from './already-decided';
import { getApproval } from './approvals';

/**
 * Answers a question once and wakes the agent that asked. @throws ApiError 422 for another type, an
 * unknown option, or a missing note; 409 `not_pending`
 */
export async function answerQuestion(
  call: Call,
  approvalId: string,
  body: AnswerBody,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    assertAnswers(await getApproval(tx, approvalId), body);
    const { option = null, note = null } = body;
    const answered = await answer(tx, approvalId, { option, note });
    const question = await getApproval(tx, approvalId);
    if (!answered) throw alreadyDecided(question);
    return question;
  });
}

function assertAnswers({ type, payload }: ApprovalView, { option, note }: AnswerBody): void {
  if (type !== 'board_question') {
    const message = `only a board_question can be answered; to decide a ${type}, use approve, reject or request-revision`;
    throw unprocessable('semantic_error', message, { type });
  }
  const { options = [] } = payload as BoardQuestion;
  const keys = options.map(({ key }) => key);
  if (option !== undefined && !keys.includes(option)) {
    const message =
      keys.length > 0
        ? `option must be one of ${keys.join(', ')}`
        : 'the question has no options: send a note instead';
    throw unprocessable('semantic_error', message, { field: 'option', options: keys });
  }
  if (keys.length === 0 && note === undefined) {
    const message = 'the question has no options: send a note instead';
    throw unprocessable('semantic_error', message, { field: 'note' });
  }
}

export function assertNoQuestion(type: string, what: string): void {
  if (type !== 'board_question') return;
  const message = `a question cannot be ${what}: POST /api/approvals/{approvalId}/answer answers it, and reject dismisses it`;
  throw unprocessable('semantic_error', message, { type });
}
