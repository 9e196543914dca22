import { THIS_MONTH } from './month';
import { capsOfRunSql, isReservedInSql } from './spend-caps';
import { agentSpend, companySpend } from './spent';

/**
 * SQL: the caps on the spend of run `of`, each with its spend and its `open` reservations except
 * `exceptId`. Reservations count in every period, because their calls may be settled in any one.
 */
export const appliedCapsSql = (of: string, exceptId: string) => `(
  SELECT cap.*, held.open, cap.cents - cap.spent - held.open AS free
  FROM (
    SELECT 'agent_budget' AS code, 'agent' AS scope, a.id AS scope_id, 'month' AS period,
      a.budget_monthly_cents AS cents, ${THIS_MONTH} AS since, ${agentSpend('a.id')} AS spent
    FROM agent a WHERE a.id = ${of}.agent_id AND a.budget_monthly_cents > 0
    UNION ALL
    SELECT 'company_budget', 'company', c.id, 'month', c.budget_monthly_cents, ${THIS_MONTH}, ${companySpend('c.id')}
    FROM company c WHERE c.id = ${of}.company_id AND c.budget_monthly_cents > 0
    UNION ALL SELECT * FROM ${capsOfRunSql(of)}
    OFFSET 0
  ) cap CROSS JOIN LATERAL (
    SELECT coalesce(sum(v.cents), 0)::bigint AS open FROM reservation v
    WHERE v.company_id = ${of}.company_id AND v.cents > 0 AND v.id IS DISTINCT FROM ${exceptId}
      AND ${isReservedInSql('cap')}
  ) held)`;

export const exceedsSql = (cap: string, cents: string) =>
  `(${cap}.spent >= ${cap}.cents OR ${cents} IS NULL OR ${cents} > ${cap}.free)`;
