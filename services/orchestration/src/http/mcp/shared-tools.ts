import { clip, reading, tool } from '@switchyard/mcp';
import type {
  CreatedIssueView,
  CreateIssueBody,
  IssueDetailView,
  SearchResultView,
  WakeOutcome,
} from '@switchyard/types';
import { z } from 'zod';
import type { Caller } from './caller';
import { agentIdOf, companyOf, issueIdOf } from './names';
import { writing } from './texts';

/**
 * A different key makes an identical call distinct; the same key returns the first response for a
 * day.
 */
export const requestKey = z.string().optional();

export const company = z.string().optional();

export const issueSince =
  (caller: Caller, issueId: string, isLeft: (status: string) => boolean) => async () => {
    const params = { issueId };
    const { status, revision } = await caller.call<IssueDetailView>('getIssue', { params });
    return isLeft(status) ? null : String(revision);
  };

const FIND = {
  name: 'find',
  description: 'Search issues, comments, documents, agents, projects.',
  reads: true,
} as const;

export const findInOwn = tool<Caller>()({
  ...FIND,
  input: z.object({ words: z.string() }),
  run: ({ words }, caller) => search(caller, words),
});

export const find = tool<Caller>()({
  ...FIND,
  input: z.object({ words: z.string(), company }),
  run: ({ words, company: named }, caller) => search(caller, words, named),
});

async function search(caller: Caller, words: string, named?: string) {
  const found = await caller.call<SearchResultView[]>('search', {
    params: { companyId: await companyOf(caller, named) },
    query: { q: words, limit: '8' },
  });
  const lines = found.map((one) => {
    const at = one.identifier ? `${one.identifier} ${one.issueStatus ?? ''}` : one.id;
    return `${one.type} ${at} ${clip(one.title, 60)}: ${clip(one.snippet, 80)}`;
  });
  return reading(
    lines.length > 0 ? lines : ['Nothing found.'],
    lines.length > 0 ? 'use the identifier or id' : 'try fewer or other words',
  );
}

interface NewIssue {
  title: string;
  description?: string | undefined;
  assignee?: string | undefined;
  parent?: string | undefined;
  priority?: CreateIssueBody['priority'];
  company?: string | undefined;
  request_key?: string | undefined;
}

export async function createIssue(toolName: string, args: NewIssue, caller: Caller) {
  const companyId = await companyOf(caller, args.company);
  const { title, description, priority, assignee, parent } = args;
  const made = await caller.write<CreatedIssueView>('createIssue', {
    tool: toolName,
    args: { ...args },
    params: { companyId },
    body: {
      title,
      description,
      priority,
      status: 'todo',
      assigneeAgentId: assignee && (await agentIdOf(caller, companyId, assignee)),
      parentId: await issueIdOf(caller, parent),
    },
  });
  const { identifier, woken } = made.body;
  const next =
    woken.length > 0
      ? 'its end wakes the assignees of issues that it blocks'
      : 'assign it when it can start';
  return writing(identifier, `Created ${identifier}. ${wokenText(woken)}`, next, made);
}

export function wokenText(woken: readonly WakeOutcome[]): string {
  if (woken.length === 0) return 'No agent was woken.';
  return woken
    .map(({ outcome, reason, heartbeatRunId }) => {
      const run = heartbeatRunId === null ? '' : ` into run ${heartbeatRunId}`;
      return `Its assignee: ${reason ?? outcome}${run}.`;
    })
    .join(' ');
}

export const newIssue = {
  title: z.string(),
  description: z.string().optional(),
  assignee: z.string().optional(),
  parent: z.string().optional(),
  priority: z.enum(['critical', 'high', 'medium', 'low']).optional(),
};
