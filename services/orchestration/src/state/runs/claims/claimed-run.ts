import { type ParametersOf, type RowOf, select, statement } from '@switchyard/db';
import { beginsRunSql, isActiveSql } from '../../agents/run-transitions';
import { agentBudgetSpent } from '../../budgets/spent';
import { RUN } from '../runs';
import { firstOpenIssueSql, wakeIssuesSql } from '../wakes';
import { DUE, RUNNING_OF_AGENT } from './claimable';
import { isForTakerSql, TAKER } from './takers';

/** A run of this worker or runner, with what its start needs. */
export type ClaimedRun = RowOf<typeof claimDue>;

export type Claim = ParametersOf<typeof claimLocked>;

const CLAIM = {
  runId: 'uuid',
  workerId: 'text?',
  leaseMs: 'int',
  runnerInstance: 'uuid?',
  ticketHash: 'bytes?',
  nextSeq: 'int',
  ...TAKER,
} as const;

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

/** What the start of a run needs of other rows, so that it does not ask for each. */
const ABOUT = {
  agentName: 'text',
  adapterType: 'text',
  adapterConfig: 'json',
  /** Whether the agent or its company has a budget that may be nearly spent. */
  hasBudget: 'bool',
  egressAllowList: 'text[]?',
  projectId: 'uuid?',
  /** The primary workspace of the issue's project; null without one. */
  workspace: 'json?',
  /** The issues of its wakes. */
  wakeIssues: 'json',
} as const;

export const CLAIMED_RUN = { ...CLAIMED, ...ABOUT } as const;

/** SQL: starts the run if `which` holds of run `r`, agent `a` and company `c`. */
const claimSql = (p: Readonly<Record<keyof typeof CLAIM, string>>, which: string) => `
  WITH claimed AS (
    UPDATE heartbeat_run r SET status = 'running', epoch = r.epoch + 1,
      attempt = CASE WHEN r.status = 'running' AND r.worker_id IS NOT NULL
        THEN r.attempt + 1 ELSE r.attempt END,
      worker_id = ${p.workerId}, is_detached = ${p.taker} = 'agent',
      runner_instance = ${p.runnerInstance}, ticket_hash = ${p.ticketHash}, next_seq = ${p.nextSeq}, usage_seq = 0,
      adapter_type = CASE ${p.taker} WHEN 'runner' THEN a.adapter_type END,
      lease_expires_at = clock_timestamp() + ${p.leaseMs} * interval '1 millisecond',
      started_at = coalesce(r.started_at, clock_timestamp()),
      issue_id = CASE r.status WHEN 'queued' THEN ${firstOpenIssueSql('r')} ELSE r.issue_id END
    FROM agent a JOIN company c ON c.id = a.company_id
    WHERE r.id = ${p.runId} AND a.id = r.agent_id AND ${which}
    RETURNING r.*
  ), begun AS (${beginsRunSql('claimed')})
  ${claimedSql()}`;

/** SQL: the rows of `claimed`, which are of `heartbeat_run`, with what their start needs. */
export const claimedSql = () => `
  SELECT ${select(CLAIMED, 'claimed')}, a.name AS "agentName", a.adapter_type AS "adapterType",
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

const isPresentSql = (instance: string) => `(${instance} IS NULL OR EXISTS (
  SELECT 1 FROM runner_instance WHERE id = ${instance} AND replaced_at IS NULL))`;

/** The common claim, decided and made at once: nothing of it is looked at before. */
export const claimDue = statement('claim-due-run', {
  takes: { ...CLAIM, maxRunning: 'int' },
  gives: CLAIMED_RUN,
  onePlan: true,
  sql: (p) =>
    claimSql(
      p,
      `${DUE} AND ${isForTakerSql('a', p)} AND ${isPresentSql(p.runnerInstance)} AND ${isActiveSql('a')} AND c.status = 'active' AND c.budget_monthly_cents = 0
      AND NOT ${agentBudgetSpent('a')} AND ${RUNNING_OF_AGENT} < a.max_concurrent_runs
      AND (${p.maxRunning} = 0 OR (SELECT count(*) FROM heartbeat_run o
        WHERE o.company_id = r.company_id AND o.status = 'running') < ${p.maxRunning})`,
    ),
});

/** For a run that is locked, of which was decided that it starts; whom it is for is under the agent's lock. */
export const claimLocked = statement('claim-locked-run', {
  takes: CLAIM,
  gives: CLAIMED_RUN,
  sql: (p) => claimSql(p, isForTakerSql('a', p)),
});
