import { Prisma } from '@switchyard/db';
import { ISSUE_STATUSES, type ListIssuesQuery } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, page } from '../../lists/page';
import { unionPerStatus } from '../../lists/union-per-status';
import { SUMMARY_COLUMNS } from '../../state/issues/issue-columns';
import { type IssueSummaryRow, presentIssueSummary } from './present-issue';

type Row = IssueSummaryRow & { priorityRank: number };

/**
 * By priority, then oldest first (contract, "Conventions"). SQL by hand: only a comparison of whole
 * rows lets PostgreSQL begin a page inside an index, and only one status at a time leaves the index
 * in the order of the list. So each combination of filters reads no more rows than it answers, times
 * the number of statuses (guarantee G28).
 */
export async function listIssues(call: Call, query: ListIssuesQuery) {
  const cursor = decodeCursor(query.cursor, ['int', 'time', 'id']);
  const conditions = [Prisma.sql`company_id = ${call.companyId}::uuid`];
  if (query.assigneeAgentId) {
    conditions.push(Prisma.sql`assignee_agent_id = ${query.assigneeAgentId}::uuid`);
  }
  if (query.projectId) conditions.push(Prisma.sql`project_id = ${query.projectId}::uuid`);
  if (cursor) {
    const [rank, time, id] = cursor;
    conditions.push(
      Prisma.sql`(priority_rank, created_at, id) > (${rank}::int, ${time}::timestamptz, ${id}::uuid)`,
    );
  }
  const isNarrowed = query.assigneeAgentId !== undefined || query.projectId !== undefined;
  const take = query.limit + 1;
  const parts = unionPerStatus(
    query.status ?? (isNarrowed ? ISSUE_STATUSES : null),
    conditions,
    (where) => Prisma.sql`
      SELECT ${SUMMARY_COLUMNS} FROM issue WHERE ${where}
      ORDER BY priority_rank, created_at, id LIMIT ${take}`,
  );
  const rows = await call.db.prisma.$queryRaw<Row[]>`
    SELECT * FROM (${parts}) issue
    ORDER BY "priorityRank", "createdAt", id LIMIT ${take}`;
  return page(rows, query.limit, presentIssueSummary, (row) => [
    row.priorityRank,
    row.createdAt.toISOString(),
    row.id,
  ]);
}
