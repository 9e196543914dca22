import type { Finding } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';

export async function recordWorkspaceTest(
  call: Call,
  projectId: string,
  workspaceId: string,
  findings: Finding[],
): Promise<Finding[]> {
  return inTransaction(call, async (tx) => {
    await tx.record('workspace.checked', workspaceId, {
      projectId,
      problems: findings.filter(({ level }) => level !== 'ok').map(({ code }) => code),
    });
    return findings;
  });
}
