import { ask, askAfresh, type Database, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { ISSUE_STATUSES, type ListedIssueView, type ListIssuesQuery } from '@switchyard/types';
import { namedPerson } from '../../access/named-person';
import type { Call } from '../../call';
import { decodeCursor, decodeMarkedCursor, markOf, page } from '../../lists/page';
import { LISTED_ISSUE, type ListedIssueRow, selectListedIssue } from './listed-issue-facts';
import { isBehind, mergedPage, ORDERS, startOf, startTakes } from './listing/issue-order';
import { narrowedListing } from './listing/narrowed-listing';
import { plainListing } from './listing/plain-listing';
import { seekIssues } from './listing/sought-issues';
import { presentIssue } from './present-issue';

/** By priority, then oldest first, or as `sort` says. */
export async function listIssues(
  call: Call,
  asked: ListIssuesQuery,
): Promise<Reply<ListedIssueView[]>> {
  const query = withNamedPerson(call, asked);
  const { sort, limit } = query;
  const mark = markOf(choiceOf(query));
  // The release before handed out cursors without a mark.
  const isOfBefore = sort === 'priority' && !isNarrowed(query);
  const cursor = decodeMarkedCursor(query.cursor, ORDERS[sort].kinds, mark, isOfBefore);
  const start = { ...startOf(sort, cursor), companyId: call.companyId, take: limit + 1 };
  const rows = isNarrowed(query)
    ? await readNarrowed(call, query, start)
    : await readPlain(call, query, start);
  return page(rows, limit, presentIssue, (row) => [...ORDERS[sort].valuesOf(row), mark]);
}

type Start = ReturnType<typeof startOf> & { companyId: string; take: number };

function withNamedPerson(call: Call, query: ListIssuesQuery): ListIssuesQuery {
  const { assigneeUserId } = query;
  if (assigneeUserId === undefined) return query;
  return { ...query, assigneeUserId: namedPerson(call, assigneeUserId, 'assigneeUserId') };
}

/** Everything but where a page begins and how long it is. */
function choiceOf({ limit: _, cursor: __, ...query }: ListIssuesQuery) {
  const choice = { ...query, status: query.status && statusesOf(query) };
  return Object.entries(choice)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const statusesOf = ({ status }: Pick<ListIssuesQuery, 'status'>) =>
  status ? ISSUE_STATUSES.filter((one) => status.includes(one)) : [...ISSUE_STATUSES];

/** Whether a filter is given, or an order and filters, for which no statement was written alone. */
function isNarrowed(query: ListIssuesQuery): boolean {
  const { sort, unassigned, assigneeUserId, goalId, parentId, approvalId } = query;
  const { label, q, updatedAfter } = query;
  if (unassigned === 'true') return true;
  const filters = [assigneeUserId, goalId, parentId, approvalId, label, q, updatedAfter];
  if (filters.some((one) => one !== undefined)) return true;
  return sort !== 'priority' && (query.assigneeAgentId ?? query.projectId) !== undefined;
}

async function readPlain(
  call: Call,
  query: ListIssuesQuery,
  start: Start,
): Promise<ListedIssueRow[]> {
  const { sort, status, assigneeAgentId = null, projectId = null } = query;
  const by = { assignee: assigneeAgentId !== null, project: projectId !== null };
  // Only the order of priority has an index of its own for issues of any status.
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
  const { ids, labelId, words } = sought;
  return askAfresh(call.db, narrowedListing(query.sort, ids !== null), {
    ...start,
    statuses: statusesOf(query),
    assigneeAgentId: query.assigneeAgentId ?? null,
    assigneeUserId: query.assigneeUserId ?? null,
    isUnassigned: query.unassigned === 'true',
    projectId: query.projectId ?? null,
    goalId: query.goalId ?? null,
    parentId: query.parentId ?? null,
    updatedAfter: query.updatedAfter ? new Date(query.updatedAfter) : null,
    ids: ids ?? [],
    labelId,
    isWorded: words !== null,
    ...(words ?? { words: '', prefix: '' }),
  });
}

/** Rows of the list by their ids, in no order. */
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

/** By priority, then oldest first. */
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
