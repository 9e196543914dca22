import { ask, type Database, statement } from '@switchyard/db';
import { isOpenSql } from '../statuses/issue-status';

export async function unassignIssuesOf(db: Database, agentId: string): Promise<void> {
  await ask(db, unassignIssues, { agentId });
}

const unassignIssues = statement('unassign-issues', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `
    UPDATE issue SET assignee_agent_id = NULL, checkout_run_id = NULL, checked_out_at = NULL,
      status = CASE status WHEN 'in_progress' THEN 'todo' ELSE status END, updated_at = now()
    WHERE assignee_agent_id = ${agentId} AND ${isOpenSql('issue')}`,
});
