import { ask, type Database, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { agentBudgetSpent, companyBudgetSpent } from '../budgets/spent';
import { isEmployedSql } from '../statuses/agent-status';

/**
 * SQL: the reason why agent `a` of company `c` may not start runs now, or null. A budget pause
 * counts only while this month's budget is spent; the next wake or the sweep lifts an older pause.
 */
export const refusalSql = (
  a: string,
  c: string,
  spent = { agent: agentBudgetSpent(a), company: companyBudgetSpent(c) },
): string => `CASE
  WHEN ${c}.status <> 'active' THEN 'company_' || ${c}.status
  WHEN NOT ${isEmployedSql(a)} THEN 'agent_' || ${a}.status
  WHEN ${a}.status = 'paused' AND ${a}.pause_reason <> 'budget' THEN 'agent_paused_' || ${a}.pause_reason
  WHEN ${spent.agent} THEN 'agent_budget'
  WHEN ${spent.company} THEN 'company_budget' END`;

export async function readRefusal(db: Database, agentId: string): Promise<string | null> {
  const [agent] = await ask(db, readAgentRefusal, { agentId });
  if (!agent) throw notFound('agent');
  return agent.refusal;
}

const readAgentRefusal = statement('read-agent-refusal', {
  takes: { agentId: 'uuid' },
  gives: { refusal: 'text?' },
  sql: ({ agentId }) => `
    SELECT ${refusalSql('a', 'c')} AS refusal
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}`,
});
