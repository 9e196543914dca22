import { Prisma } from '@switchyard/db';

/** What a summary shows, for statements by hand whose only table with these columns is `issue`. */
export const SUMMARY_COLUMNS = Prisma.raw(
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
    'cancelled_at AS "cancelledAt"',
    'created_by_agent_id AS "createdByAgentId"',
    'created_by_user_id AS "createdByUserId"',
    'origin_routine_run_id AS "originRoutineRunId"',
    'created_at AS "createdAt"',
    'updated_at AS "updatedAt"',
  ].join(', '),
);
