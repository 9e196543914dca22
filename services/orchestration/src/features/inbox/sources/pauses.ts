import { isStopped, unfitness, workOf, workOfCompany } from '../parts';
import { itemsOf, patch, post, type Source } from '../source';
import { findingOf } from './checks';

/**
 * Agents that were paused after failures, agents that a person paused and that have work, and
 * paused companies. `budgets.ts` reports spent budgets.
 */
export const pauses: Source = {
  kinds: ['agent_stopped', 'agent_paused', 'company_paused'],
  items: (p) => [
    itemsOf(
      'agent_stopped',
      { ...PAUSED, facts: STOPPED_BY, agents: '1', issues: workOf(p, 's.id') },
      `FROM staff s WHERE ${isStopped('s')}`,
    ),
    itemsOf(
      'agent_paused',
      { ...PAUSED, agents: '1', issues: 'waiting.n' },
      `FROM staff s CROSS JOIN LATERAL (SELECT ${workOf(p, 's.id')} AS n) waiting
      WHERE s.status = 'paused' AND s.pause_reason = 'manual' AND NOT s.is_spent AND waiting.n > 0`,
    ),
    itemsOf(
      'company_paused',
      {
        id: 'firm.id',
        since: 'firm.updated_at',
        agents: '(SELECT count(*) FROM staff)',
        issues: workOfCompany(p),
        facts: "jsonb_build_object('name', firm.name)",
      },
      "FROM firm WHERE firm.status = 'paused'",
    ),
  ],
  present: (row) => {
    const { kind, agentId, agentName, facts, companyId } = row;
    if (kind === 'company_paused') {
      const resume = { body: { status: 'active' }, access: 'owner' as const };
      return {
        title: `Resume ${facts.name}`,
        reason: 'The company is paused: no run starts',
        actions: [patch('resume', 'Resume', `/api/companies/${companyId}`, resume)],
      };
    }
    const title = `Resume ${agentName}`;
    const resume = post('resume', 'Resume', `/api/agents/${agentId}/resume`);
    if (kind === 'agent_paused') {
      const reason = `Paused by a person; ${row.issues} of its issues are waiting`;
      return { title, reason, actions: [resume] };
    }
    const finding = findingOf(row);
    const reason = `Paused after ${facts.failures} consecutive failures: ${facts.error ?? 'no reason given'}`;
    return {
      title,
      reason: `${reason}${finding.reason}`,
      actions: [resume, ...finding.actions],
    };
  },
};

const PAUSED = {
  id: 's.id',
  since: 'coalesce(s.paused_at, s.created_at)',
  agentId: 's.id',
};

const STOPPED_BY = `jsonb_build_object('failures', s.failures, 'error', left(s.error_reason, 300),
  'finding', ${unfitness('s.id')})`;
