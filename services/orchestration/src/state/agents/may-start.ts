import { ask, type Database, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { capsSql, spentCapSql } from '../budgets/spend-caps';
import { agentBudgetSpent, companyBudgetSpent } from '../budgets/spent';
import { isActiveSql, isEmployedSql } from '../statuses/agent-status';

/**
 * SQL: the reason why agent `a` of company `c` may not start runs now, or null. A budget pause
 * counts only while this month's budget is spent; the next wake or the sweep lifts an older pause.
 */
export const refusalSql = (
  a: string,
  c: string,
  {
    agent = agentBudgetSpent(a),
    company = companyBudgetSpent(c),
    cap = spentCapSql(capsSql({ companyId: `${c}.id`, agentId: `${a}.id` })),
  } = {},
): string => `CASE
  WHEN ${c}.status <> 'active' THEN 'company_' || ${c}.status
  WHEN NOT ${isEmployedSql(a)} THEN 'agent_' || ${a}.status
  WHEN ${a}.status = 'paused' AND ${a}.pause_reason <> 'budget' THEN 'agent_paused_' || ${a}.pause_reason
  WHEN ${agent} THEN 'agent_budget'
  WHEN ${company} THEN 'company_budget'
  ELSE ${cap} END`;

/**
 * SQL: true if only money may keep agent `a` of company `c` from starting runs. False also for an
 * agent that a spent budget has paused.
 */
export const isAtWorkSql = (a: string, c: string) =>
  `(${c}.status = 'active' AND ${isActiveSql(a)})`;

export const refusalOfWakeSql = (
  a: string,
  c: string,
  wake: { issueId: string; routineRunId: string },
) =>
  refusalSql(a, c, {
    cap: spentCapSql(capsSql({ companyId: `${c}.id`, agentId: `${a}.id`, ...wake })),
  });

export async function readRefusal(
  db: Database,
  wake: { agentId: string; issueId: string | null; routineRunId: string | null },
): Promise<string | null> {
  const [agent] = await ask(db, readAgentRefusal, wake);
  if (!agent) throw notFound('agent');
  return agent.refusal;
}

const readAgentRefusal = statement('read-agent-refusal', {
  takes: { agentId: 'uuid', issueId: 'uuid?', routineRunId: 'uuid?' },
  gives: { refusal: 'text?' },
  sql: ({ agentId, ...wake }) => `
    SELECT ${refusalOfWakeSql('a', 'c', wake)} AS refusal
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}`,
});
