import { tool } from '@switchyard/mcp';
import { invalidField } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import { z } from 'zod';
import { isOver } from '../../../state/statuses/issue-status';
import type { Caller } from '../caller';
import { issueSince, requestKey } from '../shared-tools';
import { writing, written } from '../texts';

interface Step {
  operation: string;
  of: 'approvalId' | 'issueId' | 'runId';
  note: string | null;
  done: string;
}

const STEPS = {
  approve: {
    operation: 'approveApproval',
    of: 'approvalId',
    note: 'decisionNote',
    done: 'Approved',
  },
  reject: { operation: 'rejectApproval', of: 'approvalId', note: 'decisionNote', done: 'Rejected' },
  revise: {
    operation: 'requestApprovalRevision',
    of: 'approvalId',
    note: 'decisionNote',
    done: 'Sent back',
  },
  answer: { operation: 'answerQuestion', of: 'approvalId', note: 'note', done: 'Answered' },
  comment: { operation: 'createComment', of: 'issueId', note: 'body', done: 'Commented' },
  complete: { operation: 'completeIssue', of: 'issueId', note: 'comment', done: 'Completed' },
  reopen: { operation: 'reopenIssue', of: 'issueId', note: 'comment', done: 'Reopened' },
  retry: { operation: 'retryHeartbeatRun', of: 'runId', note: null, done: 'Runs again' },
  stop: { operation: 'cancelHeartbeatRun', of: 'runId', note: null, done: 'Stopped' },
} as const satisfies Record<string, Step>;

const DECISIONS = Object.keys(STEPS) as [keyof typeof STEPS];

export const decide = tool<Caller>()({
  name: 'decide',
  description:
    'Decide an approval (approve, reject, revise), answer a question (option, note), comment on, complete or reopen an issue, retry or stop a run.',
  destroys: true,
  input: z.object({
    id: z.string(),
    decision: z.enum(DECISIONS),
    note: z.string().optional(),
    option: z.string().optional(),
    request_key: requestKey,
  }),
  output: written,
  run: async (args, caller) => {
    const { id, decision, note, option } = args;
    const { operation, of, note: field, done }: Step = STEPS[decision];
    if (note !== undefined && field === null) {
      throw invalidField('note', `is not valid with the decision ${decision}: omit it`);
    }
    if (option !== undefined && decision !== 'answer') {
      throw invalidField('option', 'is only valid with the decision answer: omit it');
    }
    const made = await caller.write<{ id: string }>(operation, {
      tool: 'decide',
      args,
      params: { [of]: id },
      body: field === null ? undefined : { [field]: note, option },
      stateSince: () => stateSince(decision, id, caller),
    });
    return writing(made.body.id, `${done}: ${id}.`, 'needs_me', made);
  },
});

async function stateSince(decision: keyof typeof STEPS, id: string, caller: Caller) {
  if (decision === 'complete') return issueSince(caller, id, (now) => now === 'done')();
  if (decision === 'reopen') return issueSince(caller, id, (now) => !isOver(now))();
  if (decision !== 'revise') return null;
  const approval = await caller.call<ApprovalView>('getApproval', { params: { approvalId: id } });
  return approval.status === 'revision_requested' ? null : approval.updatedAt;
}
