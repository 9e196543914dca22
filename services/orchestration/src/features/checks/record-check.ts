import { ask, statement } from '@switchyard/db';
import type { Finding } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';

export async function recordCheck(
  call: Call,
  agentId: string,
  findings: Finding[],
): Promise<Finding[]> {
  return inTransaction(call, async (tx) => {
    await tx.record('agent.checked', agentId, {
      problems: findings.filter(({ level }) => level !== 'ok').map(({ code }) => code),
    });
    await keepErrors(tx, agentId, findings);
    return findings;
  });
}

async function keepErrors(tx: Tx, agentId: string, findings: Finding[]): Promise<void> {
  if (findings.some(({ code }) => SAYS_NOTHING.includes(code))) return;
  const errors = findings
    .filter(({ level }) => level === 'error')
    .map(({ code, message }) => ({ code, message }));
  await ask(tx, storeLastCheck, { companyId: tx.companyId, agentId, errors });
}

const SAYS_NOTHING = ['no_worker', 'check_timeout', 'check_failed'];

const storeLastCheck = statement('store-last-check', {
  takes: { companyId: 'uuid', agentId: 'uuid', errors: 'json' },
  gives: {},
  sql: ({ companyId, agentId, errors }) => `
    INSERT INTO agent_last_check (company_id, agent_id, errors)
    VALUES (${companyId}, ${agentId}, ${errors})
    ON CONFLICT (agent_id) DO UPDATE SET errors = excluded.errors, checked_at = now()`,
});
