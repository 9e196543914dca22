import { ask, select, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type ListedIssueView,
  type ListIssuesQuery,
} from '@switchyard/types';
import type { Call } from '../../call';
import { type Cursor, decodeCursor, page } from '../../lists/page';
import { ISSUE_SUMMARY, type IssueSummaryRow } from '../../state/issues/issue-columns';
import { openBlockersSql } from '../../state/issues/issue-status';
import { ISSUE_FACTS, selectIssueFacts } from './listed-issue-facts';
import { presentIssue } from './present-issue';

/** By priority, then oldest first. */
export async function listIssues(
  call: Call,
  query: ListIssuesQuery,
): Promise<Reply<ListedIssueView[]>> {
  const { assigneeAgentId = null, projectId = null, limit } = query;
  const isNarrowed = assigneeAgentId !== null || projectId !== null;
  const statuses = [...new Set(query.status ?? (isNarrowed ? ISSUE_STATUSES : []))];
  const rows = await ask(call.db, listing(statuses.length, assigneeAgentId, projectId), {
    companyId: call.companyId,
    statuses,
    assigneeAgentId,
    projectId,
    ...issueStart(query.cursor),
    take: limit + 1,
  });
  return page(rows, limit, presentIssue, issueCursor);
}

/** In the same order. */
export async function listApprovalIssues(
  call: Call,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedIssueView[]>> {
  const { companyId } = call;
  const { limit } = query;
  const values = { companyId, approvalId, take: limit + 1, ...issueStart(query.cursor) };
  const rows = await ask(call.db, readApprovalIssues, values);
  return page(rows, limit, presentIssue, issueCursor);
}

const START = { companyId: 'uuid', rank: 'int', time: 'time', id: 'uuid', take: 'int' } as const;

/** What a row of a list has, of the issue `i`. */
const LISTED = { ...ISSUE_SUMMARY, blockedByCount: 'int', ...ISSUE_FACTS } as const;
const listed = (i: string) =>
  `${select(ISSUE_SUMMARY, i)}, ${openBlockersSql(`${i}.id`)} AS "blockedByCount",
  ${selectIssueFacts(i)}`;

const readApprovalIssues = statement('list-approval-issues', {
  takes: { ...START, approvalId: 'uuid' },
  gives: LISTED,
  sql: (p) => `
    SELECT ${listed('i')} FROM approval_issue link JOIN issue i ON i.id = link.issue_id
    WHERE link.approval_id = ${p.approvalId} AND i.company_id = ${p.companyId}
      AND (i.priority_rank, i.created_at, i.id) > (${p.rank}, ${p.time}, ${p.id})
    ORDER BY i.priority_rank, i.created_at, i.id LIMIT ${p.take}`,
});

/** Where a page begins, for a statement that always has a cursor: without one before every issue. */
function issueStart(cursor: string | undefined) {
  const [rank, time, id] = decodeCursor(cursor, ['int', 'time', 'id']) ?? BEFORE_ALL;
  return { rank: rank as number, time: time as string, id: id as string };
}

const BEFORE_ALL = [-1, '-infinity', '00000000-0000-0000-0000-000000000000'];

const issueCursor = (row: IssueSummaryRow): Cursor => [
  (ISSUE_PRIORITIES as readonly string[]).indexOf(row.priority),
  row.createdAt,
  row.id,
];

const listing = (statuses: number, assigneeAgentId: string | null, projectId: string | null) =>
  LISTINGS[statuses]?.[assigneeAgentId ? 1 : 0]?.[projectId ? 1 : 0] as Listing;

type Listing = ReturnType<typeof declareListing>;

/**
 * Written for each number of statuses and each choice of filters: only a comparison of whole rows lets PostgreSQL begin a
 * page inside an index, and only one status at a time leaves the index in the order of the list. One SELECT for each
 * status is merged with the others until the page is full; an `ANY` would sort every row that fits.
 */
const LISTINGS = Array.from({ length: ISSUE_STATUSES.length + 1 }, (_, statuses) =>
  [false, true].map((byAssignee) =>
    [false, true].map((byProject) => declareListing(statuses, byAssignee, byProject)),
  ),
);

function declareListing(statuses: number, byAssignee: boolean, byProject: boolean) {
  const name = `list-issues-${statuses}${byAssignee ? '-assignee' : ''}${byProject ? '-project' : ''}`;
  const takes = {
    ...START,
    // PostgreSQL must be able to tell the type of each parameter by its use.
    ...((statuses > 0 && { statuses: 'text[]' }) as { statuses: 'text[]' }),
    ...((byAssignee && { assigneeAgentId: 'uuid?' }) as { assigneeAgentId: 'uuid?' }),
    ...((byProject && { projectId: 'uuid?' }) as { projectId: 'uuid?' }),
  };
  return statement(name, {
    takes,
    gives: LISTED,
    sql: (p) => {
      const part = (status: string) => `(
        SELECT i.* FROM issue i WHERE i.company_id = ${p.companyId}${status}
          ${byAssignee ? `AND i.assignee_agent_id = ${p.assigneeAgentId}` : ''}
          ${byProject ? `AND i.project_id = ${p.projectId}` : ''}
          AND (i.priority_rank, i.created_at, i.id) > (${p.rank}, ${p.time}, ${p.id})
        ORDER BY i.priority_rank, i.created_at, i.id LIMIT ${p.take})`;
      const parts = Array.from({ length: statuses }, (_, at) =>
        part(` AND i.status = (${p.statuses})[${at + 1}]`),
      );
      return `SELECT ${listed('i')} FROM (${parts.join(' UNION ALL ') || part('')}) i
        ORDER BY i.priority_rank, i.created_at, i.id LIMIT ${p.take}`;
    },
  });
}
