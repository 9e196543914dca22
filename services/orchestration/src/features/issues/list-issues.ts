import { ask, askAfresh, type Database, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import type { ListedIssueView, ListIssuesQuery } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeCursor, decodeMarkedCursor, page } from '../../lists/page';
import { LISTED_ISSUE, type ListedIssueRow, selectListedIssue } from './listed-issue-facts';
import { markOfList, withNamedPerson } from './listing/choice';
import { isBehind, mergedPage, ORDERS, startOf, startTakes } from './listing/issue-order';
import { narrowedListing } from './listing/narrowed-listing';
import { narrowingOf, statusesOf } from './listing/narrowing';
import { plainListing } from './listing/plain-listing';
import { seekIssues } from './listing/sought-issues';
import { presentIssue } from './present-issue';

export async function listIssues(
  call: Call,
  asked: ListIssuesQuery,
): Promise<Reply<ListedIssueView[]>> {
  const query = withNamedPerson(call, asked);
  const { sort, limit } = query;
  const mark = markOfList(query);
  const cursor = decodeMarkedCursor(query.cursor, ORDERS[sort].kinds, mark);
  const start = { ...startOf(sort, cursor), companyId: call.companyId, take: limit + 1 };
  const rows = isNarrowed(query)
    ? await readNarrowed(call, query, start)
    : await readPlain(call, query, start);
  return page(rows, limit, presentIssue, (row) => [...ORDERS[sort].valuesOf(row), mark]);
}

type Start = ReturnType<typeof startOf> & { companyId: string; take: number };

function isNarrowed(query: ListIssuesQuery): boolean {
  const { sort, unassigned, assigneeUserId, goalId, parentId, approvalId } = query;
  const { servesGoalId, label, q, updatedAfter } = query;
  if (unassigned === 'true') return true;
  const owners = [assigneeUserId, goalId, servesGoalId, parentId, approvalId];
  if ([...owners, label, q, updatedAfter].some((one) => one !== undefined)) return true;
  return sort !== 'priority' && (query.assigneeAgentId ?? query.projectId) !== undefined;
}

async function readPlain(
  call: Call,
  query: ListIssuesQuery,
  start: Start,
): Promise<ListedIssueRow[]> {
  const { sort, status, assigneeAgentId = null, projectId = null } = query;
  const by = { assignee: assigneeAgentId !== null, project: projectId !== null };
  // Only the order by priority has an index that covers all statuses.
  const isOfAny = !status && sort === 'priority' && !by.assignee && !by.project;
  const statuses = isOfAny ? [] : statusesOf(query);
  const listing = plainListing(sort, statuses.length, by);
  return ask(call.db, listing, { ...start, statuses, assigneeAgentId, projectId });
}

async function readNarrowed(
  call: Call,
  query: ListIssuesQuery,
  start: Start,
): Promise<ListedIssueRow[]> {
  const sought = await seekIssues(call, query);
  if (!sought) return [];
  const { ids } = sought;
  return askAfresh(call.db, narrowedListing(query.sort, ids !== null), {
    ...start,
    ...narrowingOf(query, sought),
    ids: ids ?? [],
  });
}

export async function readIssueRows(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<ListedIssueView[]> {
  return (await ask(db, readIssuesByIds, { companyId, ids })).map(presentIssue);
}

const readIssuesByIds = statement('issues-by-ids', {
  takes: { companyId: 'uuid', ids: 'uuid[]' },
  gives: LISTED_ISSUE,
  sql: ({ companyId, ids }) => `
    SELECT ${selectListedIssue('i')} FROM issue i
    WHERE i.company_id = ${companyId} AND i.id = ANY (${ids})`,
});

export async function listApprovalIssues(
  call: Call,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedIssueView[]>> {
  const { companyId } = call;
  const { limit } = query;
  const { kinds, valuesOf } = ORDERS.priority;
  const start = startOf('priority', decodeCursor(query.cursor, kinds));
  const values = { companyId, approvalId, take: limit + 1, ...start };
  const rows = await ask(call.db, readApprovalIssues, values);
  return page(rows, limit, presentIssue, valuesOf);
}

const readApprovalIssues = statement('list-approval-issues', {
  takes: { companyId: 'uuid', ...startTakes('priority'), take: 'int', approvalId: 'uuid' },
  gives: LISTED_ISSUE,
  sql: (p) => {
    const linked = `i.id IN (SELECT issue_id FROM approval_issue WHERE approval_id = ${p.approvalId})`;
    const where = `${linked} AND i.company_id = ${p.companyId} AND ${isBehind('priority', p)}`;
    return mergedPage('priority', [where], p.take);
  },
});
