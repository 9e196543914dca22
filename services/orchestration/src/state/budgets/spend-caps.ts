import { ask, type Database, statement } from '@switchyard/db';
import type { SpendCapScope } from '@switchyard/types';

export type CapReason = `${SpendCapScope}_cap`;

export const isCapReason = (reason: string): reason is CapReason => reason.endsWith('_cap');

export const scopeOfCap = (reason: CapReason) => reason.slice(0, -'_cap'.length) as SpendCapScope;

interface Spender {
  companyId: string;
  agentId: string;
  issueId?: string;
  routineRunId?: string;
  runId?: string;
}

const NONE = 'NULL::uuid';

export const capsSql = (spender: Spender): string => {
  const { companyId, agentId, issueId = NONE, routineRunId = NONE, runId = NONE } = spender;
  return `caps_of(${companyId}, ${agentId}, ${issueId}, ${routineRunId}, ${runId})`;
};

export const capsOfRunSql = (run: string) =>
  capsSql({
    companyId: `${run}.company_id`,
    agentId: `${run}.agent_id`,
    issueId: `${run}.issue_id`,
    routineRunId: `${run}.routine_run_id`,
    runId: `${run}.id`,
  });

export const spentCapSql = (caps: string) => `(
  SELECT cap.code FROM ${caps} cap WHERE cap.spent >= cap.cents
  ORDER BY cap.cents - cap.spent, cap.code LIMIT 1)`;

export const isReservedInSql = (cap: string) => `(CASE ${cap}.scope WHEN 'company' THEN true
  WHEN 'agent' THEN v.agent_id = ${cap}.scope_id
  WHEN 'run' THEN ${cap}.scope_id IN (SELECT continued_runs(v.run_id))
  ELSE (SELECT CASE ${cap}.scope WHEN 'issue' THEN r.issue_id WHEN 'project' THEN i.project_id ELSE f.routine_id END
    FROM heartbeat_run r LEFT JOIN issue i ON i.id = r.issue_id
      LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    WHERE r.id = v.run_id) = ${cap}.scope_id END)`;

export async function spentCapOf(
  db: Database,
  spender: { companyId: string; agentId: string; issueId: string },
): Promise<CapReason | null> {
  const [row] = await ask(db, readSpentCap, spender);
  return (row?.code ?? null) as CapReason | null;
}

const readSpentCap = statement('read-spent-cap', {
  takes: { companyId: 'uuid', agentId: 'uuid', issueId: 'uuid' },
  gives: { code: 'text?' },
  sql: (p) => `SELECT ${spentCapSql(capsSql(p))} AS code`,
});
