import { clip, reading, tool } from '@switchyard/mcp';
import type {
  AgentDetailView,
  DocumentView,
  HeartbeatRunDetailView,
  IssueDetailView,
  ListedIssueView,
  ThreadEntry,
} from '@switchyard/types';
import { z } from 'zod';
import type { AgentActor } from '../../../kernel/actor';
import type { Caller } from '../caller';
import { page } from '../texts';

export const myWork = tool<Caller<AgentActor>>()({
  name: 'my_work',
  description: 'Lists why you were woken and which issues are yours. Start here.',
  reads: true,
  input: z.object({}),
  run: async (_args, caller) => {
    const { agentId, companyId } = caller.actor;
    const me = await caller.call<AgentDetailView>('getOwnAgent');
    const run = caller.runId
      ? await caller.call<HeartbeatRunDetailView>('getHeartbeatRun', {
          params: { runId: caller.runId },
        })
      : null;
    const issues = await caller.call<ListedIssueView[]>('listIssues', {
      params: { companyId },
      query: {
        assigneeAgentId: agentId,
        status: 'in_progress,todo,in_review,blocked',
        limit: '10',
      },
    });
    const wakes = (run?.wakes ?? []).map(
      ({ source, reason, identifier, title, issueStatus, payload }) =>
        `Wake: ${source} ${clip(reason ?? '', 80)} ${identifier ?? ''} ${issueStatus ?? ''} ${clip(title ?? '', 60)}${payload ? ` ${clip(JSON.stringify(payload), 120)}` : ''}`,
    );
    const own = issues.map(
      ({ identifier, status, priority, title }) =>
        `Yours: ${identifier} ${status} ${priority} ${clip(title, 70)}`,
    );
    const name = `You are ${clip(me.name, 60)}, ${me.role}.`;
    const first =
      run?.wakes.find(({ identifier }) => identifier)?.identifier ?? issues[0]?.identifier;
    return reading(
      [name, ...wakes, ...own],
      first ? `read ${first}, then claim it` : 'nothing to do: end',
    );
  },
});

const part = z.string().optional().describe('description, comments, or the key of a document');

export const read = tool<Caller>()({
  name: 'read',
  description: 'Reads a summary of an issue, or one part of it in full.',
  reads: true,
  input: z.object({ issue: z.string(), part, from: z.int().min(0).optional() }),
  run: async ({ issue: issueId, part: wanted, from = 0 }, caller) => {
    const params = { issueId };
    const comments = (limit: string) =>
      caller.call<ThreadEntry[]>('getIssueThread', { params, query: { kinds: 'comment', limit } });
    if (wanted === 'comments') {
      const texts = (await comments('100')).map((entry) =>
        commentText(entry, Number.POSITIVE_INFINITY),
      );
      return page(`Comments, newest first:`, texts.join('\n\n'), from);
    }
    if (wanted !== undefined && wanted !== 'description') {
      const found = await caller.call<DocumentView>('getDocument', {
        params: { ...params, key: wanted },
      });
      return page(`${found.title} (revision ${found.latestRevisionNumber}):`, found.body, from);
    }
    const issue = await caller.call<IssueDetailView>('getIssue', { params });
    const description = issue.description ?? '';
    if (wanted) return page(`${issue.identifier} ${issue.title}`, description, from);
    return glance(issue, await comments('3'));
  },
});

export function glance(issue: IssueDetailView, comments: ThreadEntry[]) {
  const { identifier, status, priority, title, blockedBy, children, documentSummaries } = issue;
  const description = issue.description ?? '';
  const isCut = clip(description, 300) !== description;
  const documents = documentSummaries.map(({ key }) => key);
  const lines = [
    `${identifier} ${status} ${priority}: ${clip(title, 100)}`,
    clip(description, 300),
    isCut && `(whole: part description, ${description.length} characters)`,
    blockedBy.length > 0 &&
      `Blocked by: ${blockedBy.map((one) => `${one.identifier} ${one.status}`).join(', ')}`,
    children.total > 0 && `Child issues: ${children.total}, ${children.byStatus.done} done`,
    documents.length > 0 && `Documents: ${documents.join(', ')}`,
    ...comments.map((entry) => commentText(entry, 110)),
  ];
  return reading(
    lines.filter((line): line is string => typeof line === 'string' && line !== ''),
    `claim ${identifier} before you work on it; part comments returns all comments`,
  );
}

function commentText(entry: ThreadEntry, most: number): string {
  if (entry.kind !== 'comment') return '';
  const { body } = entry.comment;
  const text = most === Number.POSITIVE_INFINITY ? body : clip(body, most);
  return `${entry.authorName ?? 'unknown'}: ${text}`;
}
