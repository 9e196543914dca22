import { foldStatusChanges } from '@switchyard/orchestration/src/features/dashboard/fold-status-changes';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { fillCompany, printTimes } from '@switchyard/orchestration/test/large-company';

const COMMENTS = 10_000;
const COST_EVENTS = 200_000;

describe('the benchmark of console views', () => {
  const harness = useHarness();

  it('prints the duration of the requests of each view', async () => {
    const { id } = await harness.build.company();
    await fillCompany(harness, id);
    const { pool } = harness.context.db;
    const { rows } = await pool.query(
      'SELECT id FROM issue WHERE company_id = $1 AND issue_number = 5',
      [id],
    );
    const issueId = rows[0].id as string;
    await pool.query(
      `INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id, mentions, created_at)
       SELECT gen_random_uuid(), $1, $2, 'Text', 'local-board', '[]', now() - n * interval '1 minute'
       FROM generate_series(1, ${COMMENTS}) n`,
      [id, issueId],
    );
    await pool.query(
      `INSERT INTO activity (id, company_id, actor_type, actor_id, action, entity_type, entity_id)
       SELECT gen_random_uuid(), $1, 'user', 'local-board', 'issue.commented', 'issue', $2
       FROM generate_series(1, ${COMMENTS}) n`,
      [id, issueId],
    );
    await pool.query(
      `INSERT INTO cost_event (id, source, company_id, agent_id, provider, model, input_tokens, output_tokens, cost_cents, created_at)
       SELECT gen_random_uuid(), 'agent', $1, (SELECT id FROM agent WHERE company_id = $1 LIMIT 1), 'p', 'm', 1, 1, 1,
         now() - n * interval '3 seconds' FROM generate_series(1, ${COST_EVENTS}) n`,
      [id],
    );
    await foldStatusChanges(harness.context);
    await harness.asOwner('VACUUM ANALYZE');
    const at = `/api/companies/${id}`;
    await printTimes(harness, [
      `${at}/overview`,
      `${at}/issues/board`,
      `${at}/issues/board?limit=200`,
      `${at}/issues/board?sort=updated&q=issue`,
      `${at}/issues/counts`,
      `${at}/issues/counts?q=issue`,
      `${at}/issues/counts?unassigned=true`,
      `/api/issues/${issueId}/thread`,
      `/api/issues/${issueId}/thread?order=asc&limit=500`,
      `${at}/activity`,
      `${at}/agents?limit=500`,
      `${at}/heartbeat-runs?status=failed`,
      '/api/companies',
    ]);
  }, 900_000);
});
