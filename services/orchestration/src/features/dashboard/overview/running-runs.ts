import { type RowOf, statement } from '@switchyard/db';
import { OVERVIEW_ROWS, type OverviewView } from '@switchyard/types';
import { lastChunkSql, lastLineOf } from '../../../lists/last-line';
import { agentName, issueReference, reasonSql } from '../../../lists/row-facts';

type Running = OverviewView['running'];

export function presentRunningRuns(rows: RowOf<typeof readRunningRuns>[]): Running {
  const runs = rows.map(({ total: _, logTail, ...run }) => ({
    ...run,
    lastLogLine: lastLineOf(logTail),
  }));
  return { total: rows[0]?.total ?? 0, runs: runs as Running['runs'] };
}

export const readRunningRuns = statement('read-running-runs', {
  takes: { companyId: 'uuid' },
  gives: {
    id: 'uuid',
    agentId: 'uuid',
    agentName: 'text',
    issue: 'json?',
    reason: 'text',
    source: 'text',
    startedAt: 'time',
    attempt: 'int',
    lastOutputAt: 'time?',
    logTail: 'bytes?',
    total: 'int',
  },
  sql: ({ companyId }) => `
    SELECT r.id, r.agent_id AS "agentId", ${agentName('r.agent_id')} AS "agentName",
      ${issueReference('r.issue_id')} AS issue, ${reasonSql('r')} AS reason, r.source,
      r.began_at AS "startedAt", r.attempt, chunk.written_at AS "lastOutputAt", chunk.tail AS "logTail", r.total
    FROM (
      SELECT id, agent_id, issue_id, wake_reasons, source, attempt,
        coalesce(started_at, created_at) AS began_at, (count(*) OVER ())::int AS total
      FROM heartbeat_run WHERE company_id = ${companyId} AND status = 'running'
      ORDER BY began_at, id LIMIT ${OVERVIEW_ROWS}
    ) r LEFT JOIN LATERAL (${lastChunkSql('r.id')}) chunk ON true
    ORDER BY r.began_at, r.id`,
});
