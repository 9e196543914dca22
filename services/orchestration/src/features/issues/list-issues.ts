import { Prisma } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { ListIssuesQuery } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { decodeCursor, page } from '../../page';
import { type IssueSummaryRow, presentIssueSummary } from './present-issue';

type Row = IssueSummaryRow & { priorityRank: number };

const COLUMNS = Prisma.raw(
  [
    'id',
    'company_id AS "companyId"',
    'issue_number AS "issueNumber"',
    'identifier',
    'title',
    'status',
    'priority',
    'priority_rank AS "priorityRank"',
    'assignee_agent_id AS "assigneeAgentId"',
    'parent_id AS "parentId"',
    'project_id AS "projectId"',
    'goal_id AS "goalId"',
    'billing_code AS "billingCode"',
    'checkout_run_id AS "checkoutRunId"',
    'checked_out_at AS "checkedOutAt"',
    'started_at AS "startedAt"',
    'completed_at AS "completedAt"',
    'created_by_agent_id AS "createdByAgentId"',
    'created_by_user_id AS "createdByUserId"',
    'origin_routine_run_id AS "originRoutineRunId"',
    'created_at AS "createdAt"',
    'updated_at AS "updatedAt"',
  ].join(', '),
);

/**
 * By priority, then oldest first (contract, "Conventions"). SQL by hand, because only a comparison of
 * whole rows lets PostgreSQL begin a page inside the index.
 */
export async function listIssues(scope: Scope, query: ListIssuesQuery): Promise<Answer> {
  const cursor = decodeCursor(query.cursor, ['int', 'time', 'id']);
  const conditions = [Prisma.sql`company_id = ${scope.companyId}::uuid`];
  if (query.status) conditions.push(Prisma.sql`status = ANY (${query.status})`);
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
  const rows = await scope.db.prisma.$queryRaw<Row[]>`
    SELECT ${COLUMNS} FROM issue WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY priority_rank, created_at, id LIMIT ${query.limit + 1}`;
  return page(rows, query.limit, presentIssueSummary, (row) => [
    row.priorityRank,
    row.createdAt.toISOString(),
    row.id,
  ]);
}
