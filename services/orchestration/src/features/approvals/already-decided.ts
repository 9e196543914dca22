import { type ApiError, conflict } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';

export function alreadyDecided(approval: ApprovalView): ApiError {
  const { type, status, decision, decisionNote, decidedByUserId, decidedAt } = approval;
  const details = { status, decision, decisionNote, decidedByUserId, decidedAt, retry: false };
  if (status === 'revision_requested') {
    const message = 'a revision of the approval was requested: wait until it is resubmitted';
    return conflict('not_pending', message, details);
  }
  const isQuestion = type === 'board_question';
  const outcome = isQuestion && status === 'approved' ? 'answered' : status;
  const message = `the ${isQuestion ? 'question' : 'approval'} is already decided: it was ${outcome}; \`details\` contains the decision`;
  return conflict('not_pending', message, details);
}
