import { tool } from '@switchyard/mcp';
import type {
  ApprovalView,
  CommentView,
  CostEventView,
  IssueView,
  MentionOutcome,
  UpdatedIssueView,
} from '@switchyard/types';
import { z } from 'zod';
import type { AgentActor } from '../../../kernel/actor';
import { CLAIMABLE } from '../../../state/statuses/issue-status';
import type { Caller } from '../caller';
import { issueIdOf } from '../names';
import { createIssue as create, issueSince, newIssue, requestKey } from '../shared-tools';
import { writing, written } from '../texts';

type Agent = Caller<AgentActor>;

export const claim = tool<Agent>()({
  name: 'claim',
  description: 'Check an issue out before you work on it. If it is refused, leave it.',
  input: z.object({ issue: z.string() }),
  output: written,
  run: async ({ issue: issueId }, caller) => {
    const { agentId } = caller.actor;
    const issue = await caller.call<IssueView>('checkoutIssue', {
      params: { issueId },
      body: { agentId, expectedStatuses: CLAIMABLE },
    });
    const { identifier } = issue;
    return writing(
      identifier,
      `${identifier} is yours, in_progress.`,
      'work, comment on what you did, then hand_in',
    );
  },
});

export const comment = tool<Agent>()({
  name: 'comment',
  description: 'Comment on an issue. @Name wakes that agent, @board calls people.',
  input: z.object({ issue: z.string(), text: z.string(), request_key: requestKey }),
  output: written,
  run: async (args, caller) => {
    const made = await caller.write<CommentView>('createComment', {
      tool: 'comment',
      args,
      params: { issueId: args.issue },
      body: { body: args.text },
    });
    const { id, mentions } = made.body;
    const reached = mentions.map(mentionText);
    return writing(
      id,
      ['Commented.', ...reached].join(' '),
      mentions.some(({ outcome }) => outcome === 'unknown')
        ? 'write the exact name'
        : 'hand_in when the work is done; never wait for an answer, because it wakes you',
      made,
    );
  },
});

function mentionText({ name, outcome, reason, near }: MentionOutcome): string {
  const why = reason ? ` (${reason})` : '';
  const meant = near && near.length > 0 ? `; similar: ${near.join(', ')}` : '';
  return `@${name}: ${outcome}${why}${meant}.`;
}

export const handIn = tool<Agent>()({
  name: 'hand_in',
  description:
    'End your work on an issue: in_review, then done; blocked, with a comment on who must do what; released unassigns it.',
  input: z.object({
    issue: z.string(),
    status: z.enum(['in_review', 'done', 'blocked', 'released', 'cancelled']),
    comment: z.string().optional(),
    request_key: requestKey,
  }),
  output: written,
  run: async (args, caller) => {
    const { issue: issueId, status, comment: text } = args;
    if (status === 'released') return release(args, caller);
    const made = await caller.write<UpdatedIssueView>('updateIssue', {
      tool: 'hand_in',
      args,
      params: { issueId },
      body: { status, comment: text },
      stateSince: issueSince(caller, issueId, (now) => now === status),
    });
    const { identifier, comment: commented } = made.body;
    const reached = (commented?.mentions ?? []).map(mentionText);
    const next =
      status === 'in_review' ? 'done, or end and leave it to the reviewer' : 'my_work, or end';
    return writing(identifier, [`${identifier} is ${status}.`, ...reached].join(' '), next, made);
  },
});

interface Release {
  issue: string;
  comment?: string | undefined;
  request_key?: string | undefined;
}

async function release(args: Release, caller: Agent) {
  const params = { issueId: args.issue };
  const said =
    args.comment === undefined
      ? undefined
      : await caller.write<CommentView>('createComment', {
          tool: 'hand_in',
          args: { ...args },
          params,
          body: { body: args.comment },
          stateSince: issueSince(caller, args.issue, (now) => now !== 'in_progress'),
        });
  const { identifier } = await caller.call<IssueView>('releaseIssue', { params });
  const reached = (said?.body.mentions ?? []).map(mentionText);
  return writing(identifier, [`Released ${identifier}.`, ...reached].join(' '), 'my_work', said);
}

const option = z.object({ key: z.string(), label: z.string(), description: z.string().optional() });

export const askBoard = tool<Agent>()({
  name: 'ask_board',
  description:
    'Ask people for a decision that is not yours. Then hand_in blocked and end; the answer wakes you.',
  input: z.object({
    question: z.string(),
    details: z.string().optional(),
    options: z.array(option).optional(),
    recommended: z.string().optional().describe('key of an option'),
    deadline: z.string().optional().describe('ISO time'),
    default: z.string().optional().describe('key of the option to take at the deadline'),
    issue: z.string().optional(),
    request_key: requestKey,
  }),
  output: written,
  run: async (args, caller) => {
    const { question, details, options, recommended, deadline, default: option } = args;
    const issueId = await issueIdOf(caller, args.issue);
    const payload = { title: question, body: details, options, recommended };
    const made = await caller.write<ApprovalView>('createApproval', {
      tool: 'ask_board',
      args,
      params: { companyId: caller.actor.companyId },
      body: {
        type: 'board_question',
        payload: Object.fromEntries(
          Object.entries(payload).filter(([, value]) => value !== undefined),
        ),
        issueIds: issueId && [issueId],
        deadlineAt: deadline,
        onDeadline: option === undefined ? undefined : { action: 'answer', option },
      },
    });
    const next = args.issue
      ? `hand_in ${args.issue} blocked, and end`
      : 'end; the answer wakes you';
    return writing(made.body.id, 'The board was asked.', next, made);
  },
});

const count = z.int();

export const reportCost = tool<Agent>()({
  name: 'report_cost',
  description: 'Report model usage that is not counted automatically.',
  input: z.object({
    provider: z.string(),
    model: z.string(),
    input_tokens: count,
    output_tokens: count,
    cost_cents: count,
    issue: z.string().optional(),
    request_key: requestKey.describe(
      'a key that you choose; send the same key when you repeat the call',
    ),
  }),
  output: written,
  run: async (args, caller) => {
    const { agentId, companyId } = caller.actor;
    const made = await caller.write<CostEventView>('createCostEvent', {
      tool: 'report_cost',
      args,
      isEachNew: true,
      params: { companyId },
      body: {
        agentId,
        provider: args.provider,
        model: args.model,
        inputTokens: args.input_tokens,
        outputTokens: args.output_tokens,
        costCents: args.cost_cents,
        issueId: await issueIdOf(caller, args.issue),
        runId: caller.runId ?? undefined,
      },
    });
    return writing(made.body.id, `Reported ${made.body.costCents} cents.`, 'continue', made);
  },
});

export const createIssue = tool<Agent>()({
  name: 'create_issue',
  description: 'Create an issue; parent makes it a sub-issue, and assignee (agent name) starts it.',
  input: z.object({ ...newIssue, request_key: requestKey }),
  output: written,
  run: (args, caller) => create('create_issue', args, caller),
});
