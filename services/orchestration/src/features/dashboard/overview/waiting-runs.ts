import { type RowOf, statement } from '@switchyard/db';
import { OVERVIEW_ROWS, type OverviewView, WAITS_FOR, type WaitsFor } from '@switchyard/types';
import { agentName, issueReference, reasonSql } from '../../../lists/row-facts';
import { claimOrderSql, isReadySql, startsBySql } from '../../../state/runs/claims/claim-order';
import { competesSql, waitsForSql } from '../../../state/runs/claims/waits-for';

type Waiting = OverviewView['waiting'];

export function presentWaitingRuns(rows: RowOf<typeof readWaitingRuns>[]): Waiting {
  const counts: Partial<Record<WaitsFor, number>> = rows[0]?.counts ?? {};
  const byReason = Object.fromEntries(
    WAITS_FOR.map((word) => [word, counts[word] ?? 0]),
  ) as Waiting['byReason'];
  const runs = rows.map(({ counts: _, ...run }) => run) as Waiting['runs'];
  return { total: Object.values(byReason).reduce((sum, n) => sum + n, 0), byReason, runs };
}

/** Returns at most one run per agent, in the order in which runs are claimed. */
export const readWaitingRuns = statement('read-waiting-runs', {
  takes: { companyId: 'uuid', maxRunning: 'int' },
  gives: {
    id: 'uuid',
    agentId: 'uuid',
    agentName: 'text',
    issue: 'json?',
    reason: 'text',
    source: 'text',
    createdAt: 'time',
    waitsFor: 'text',
    queuePosition: 'int?',
    notBefore: 'time?',
    wakeCount: 'int',
    counts: 'json',
  },
  sql: ({ companyId, maxRunning }) => `
    WITH waiting AS MATERIALIZED (
      SELECT r.id, ${startsBySql('r')} AS starts_by,
        count(*) FILTER (WHERE ${isReadySql('r')}) OVER (ORDER BY ${claimOrderSql('r')})::int AS position,
        ${waitsForSql({ run: 'r', agent: 'a', company: 'c', companyId, maxRunning })} AS waits_for
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
      WHERE r.company_id = ${companyId} AND r.status = 'queued'
    ), shown AS (
      SELECT * FROM waiting ORDER BY starts_by, id LIMIT ${OVERVIEW_ROWS}
    )
    SELECT r.id, r.agent_id AS "agentId", ${agentName('r.agent_id')} AS "agentName",
      ${issueReference('r.issue_id')} AS issue, ${reasonSql('r')} AS reason, r.source,
      r.created_at AS "createdAt", shown.waits_for AS "waitsFor",
      CASE WHEN ${competesSql('shown.waits_for')} THEN shown.position END AS "queuePosition",
      r.not_before AS "notBefore", jsonb_array_length(r.wake_reasons) AS "wakeCount",
      (SELECT jsonb_object_agg(waits_for, n) FROM (
        SELECT waits_for, count(*) AS n FROM waiting GROUP BY waits_for) counted) AS counts
    FROM shown JOIN heartbeat_run r ON r.id = shown.id
    ORDER BY shown.starts_by, shown.id`,
});
