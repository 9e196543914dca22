import { ask, type Database, statement } from '@switchyard/db';

/** Releases what a run that has ended holds; status and assignee stay. The caller has locked the run. */
export async function releaseLocksOf(db: Database, runId: string): Promise<void> {
  await ask(db, releaseLocks, { runId });
}

const releaseLocks = statement('release-issue-locks', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) => `
    UPDATE issue SET checkout_run_id = NULL, checked_out_at = NULL, updated_at = now()
    WHERE checkout_run_id = ${runId}`,
});

/** Work in hand goes back to todo, and nothing open stays with an agent that is terminated. */
export async function unassignIssuesOf(db: Database, agentId: string): Promise<void> {
  await ask(db, unassignIssues, { agentId });
}

const unassignIssues = statement('unassign-issues', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `
    UPDATE issue SET assignee_agent_id = NULL, checkout_run_id = NULL, checked_out_at = NULL,
      status = CASE status WHEN 'in_progress' THEN 'todo' ELSE status END, updated_at = now()
    WHERE assignee_agent_id = ${agentId} AND status NOT IN ('done', 'cancelled')`,
});
