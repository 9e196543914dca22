import { ask, type Database, statement } from '@switchyard/db';

const MEDIUM_RANK = 2;

export const wakeRankSql = (issueId: string): string =>
  `coalesce((SELECT about.priority_rank FROM issue about WHERE about.id = ${issueId}), ${MEDIUM_RANK})`;

/** Call after a change of the issue's priority. A run has the rank of its most urgent wake. */
export async function rankWaitingRuns(
  db: Database,
  issue: { companyId: string; issueId: string },
): Promise<void> {
  await ask(db, rank, issue);
}

export async function rankRun(db: Database, runId: string): Promise<void> {
  await ask(db, rankOne, { runId });
}

const rankSql = (r: string) => `(
      SELECT min(coalesce(about.priority_rank, ${MEDIUM_RANK}))
      FROM jsonb_array_elements(${r}.wake_reasons) woken(wake)
        LEFT JOIN issue about ON about.id = (wake ->> 'issueId')::uuid)`;

const rankOne = statement('rank-run', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) =>
    `UPDATE heartbeat_run r SET priority_rank = ${rankSql('r')} WHERE r.id = ${runId}`,
});

const rank = statement('rank-waiting-runs', {
  takes: { companyId: 'uuid', issueId: 'uuid' },
  gives: {},
  sql: ({ companyId, issueId }) => `
    WITH named AS (
      SELECT id FROM heartbeat_run
      WHERE company_id = ${companyId} AND issue_id = ${issueId} AND status = 'queued'
      UNION
      SELECT id FROM heartbeat_run
      WHERE company_id = ${companyId} AND status = 'queued' AND jsonb_array_length(wake_reasons) > 1
        AND jsonb_path_query_array(wake_reasons, '$[*].issueId') @> to_jsonb(${issueId}::text)
    )
    UPDATE heartbeat_run r SET priority_rank = ${rankSql('r')}
    FROM named WHERE r.id = named.id AND r.status = 'queued'`,
});
