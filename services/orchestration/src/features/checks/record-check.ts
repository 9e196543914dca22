import { inTransaction } from '@switchyard/db';
import type { Finding } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';

/** Says in the activity that somebody looked, and how it stood. */
export async function recordCheck(
  scope: Scope,
  agentId: string,
  findings: Finding[],
): Promise<Finding[]> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'agent.checked',
      entityType: 'agent',
      entityId: agentId,
      details: {
        problems: findings.filter(({ level }) => level !== 'ok').map(({ code }) => code),
      },
    });
    return findings;
  });
}
