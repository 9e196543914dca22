import type { Finding } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';

/** Says in the activity that somebody looked, and how it stood. */
export async function recordCheck(
  call: Call,
  agentId: string,
  findings: Finding[],
): Promise<Finding[]> {
  return inTransaction(call, async (tx) => {
    await tx.record('agent.checked', agentId, {
      problems: findings.filter(({ level }) => level !== 'ok').map(({ code }) => code),
    });
    return findings;
  });
}
