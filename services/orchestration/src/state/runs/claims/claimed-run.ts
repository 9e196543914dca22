import { type RowOf, select, statement } from '@switchyard/db';
import { insertActivity } from '../../../kernel/activity';
import { beginsRunSql } from '../../agents/run-transitions';
import { holdMonthSql, monthAllowsSql } from '../../budgets/budget-stop';
import { RUN } from '../runs';
import { leadSql, wakeIssuesSql } from '../wakes';
import { budgetSql, CLAIM, mayClaimSql } from './claimable';

export type ClaimedRun = Omit<RowOf<typeof claimRow>, 'began'>;

const CLAIMED = {
  ...RUN,
  epoch: 'int',
  hops: 'int',
  retries: 'int',
  notBefore: 'time?',
  correlationId: 'text?',
  traceContext: 'text?',
  leaseExpiresAt: 'time?',
} as const;

const ABOUT = {
  agentName: 'text',
  adapterType: 'text',
  adapterConfig: 'json',
  hasBudget: 'bool',
  egressAllowList: 'text[]?',
  projectId: 'uuid?',
  workspace: 'json?',
  wakeIssues: 'json',
} as const;

export const CLAIMED_RUN = { ...CLAIMED, ...ABOUT } as const;

export const claimedSql = (more = '') => `
  SELECT ${more} ${select(CLAIMED, 'claimed')}, a.name AS "agentName", a.adapter_type AS "adapterType",
    a.adapter_config AS "adapterConfig",
    a.budget_monthly_cents > 0 OR c.budget_monthly_cents > 0 AS "hasBudget",
    c.egress_allow_list AS "egressAllowList",
    i.project_id AS "projectId",
    CASE WHEN w.id IS NOT NULL THEN jsonb_build_object('projectId', w.project_id, 'cwd', w.cwd,
      'repoUrl', w.repo_url, 'repoRef', w.repo_ref, 'repoSecretId', w.repo_secret_id,
      'repoSecretVersion', w.repo_secret_version) END AS workspace,
    ${wakeIssuesSql('claimed')} AS "wakeIssues"
  FROM claimed JOIN agent a ON a.id = claimed.agent_id JOIN company c ON c.id = a.company_id
  LEFT JOIN issue i ON i.id = claimed.issue_id
  LEFT JOIN workspace w ON w.project_id = i.project_id AND w.is_primary`;

export const claimRow = statement('claim-run', {
  takes: {
    ...CLAIM,
    activityId: 'uuid',
    workerId: 'text?',
    leaseMs: 'int',
    ticketHash: 'bytes?',
    nextSeq: 'int',
    turn: 'float?',
  },
  gives: { began: 'text', ...CLAIMED_RUN },
  onePlan: true,
  sql: (p) => `
    WITH ${holdMonthSql(p.runId)}, claimed AS (
      UPDATE heartbeat_run r SET status = 'running', epoch = r.epoch + 1,
        attempt = CASE WHEN r.status = 'running' AND r.worker_id IS NOT NULL
          THEN r.attempt + 1 ELSE r.attempt END,
        worker_id = ${p.workerId}, is_detached = ${p.taker} = 'agent',
        runner_instance = ${p.runnerInstance}, ticket_hash = ${p.ticketHash}, next_seq = ${p.nextSeq}, usage_seq = 0,
        adapter_type = CASE ${p.taker} WHEN 'runner' THEN a.adapter_type END,
        lease_expires_at = clock_timestamp() + ${p.leaseMs} * interval '1 millisecond',
        started_at = coalesce(r.started_at, clock_timestamp()),
        (issue_id, routine_run_id) = ${leadSql('r')}
      FROM agent a JOIN company c ON c.id = a.company_id CROSS JOIN ${budgetSql}, heartbeat_run was
      WHERE r.id = ${p.runId} AND was.id = r.id AND a.id = r.agent_id
        AND ${mayClaimSql(p)} AND ${monthAllowsSql('c')}
      RETURNING r.*, CASE WHEN was.status = 'queued' THEN 'started'
        WHEN was.worker_id IS NULL THEN 'handed_over' ELSE 'taken_over' END AS began
    ), begun AS (${beginsRunSql('claimed')}), counted AS (
      INSERT INTO company_turn (company_id, turn)
      SELECT c.id, ${p.turn} + 1.0 / c.run_weight FROM claimed JOIN company c ON c.id = company_id
      WHERE began = 'started' AND ${p.turn} >= 0
      ON CONFLICT (company_id) DO UPDATE
        SET turn = greatest(company_turn.turn, ${p.turn}) + excluded.turn - ${p.turn}
    ), recorded AS (${insertActivity(
      { activityId: p.activityId, actorType: "'system'", actorId: 'NULL', actingRunId: 'id' },
      {
        action: 'heartbeat.started',
        from: "claimed WHERE began = 'started'",
        companyId: 'company_id',
        entityId: 'id',
        details: `jsonb_build_object('agentId', agent_id, 'issueId', issue_id, 'source', source)`,
      },
    )})
    ${claimedSql('claimed.began,')}`,
});
