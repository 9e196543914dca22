import type { Tx } from '../../kernel/call';
import { lockAgents } from '../agents/lock-agent';
import { haltRuns } from '../runs/halt-runs';

export async function haltCompany(
  tx: Tx,
  reason: 'company_paused' | 'company_archived',
): Promise<void> {
  await haltRuns(tx, await lockAgents(tx, tx.companyId), reason);
}
