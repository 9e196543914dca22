import type { Tx } from '../../call';
import { lockAgents } from '../agents/lock-agent';
import { haltRuns } from '../runs/halt-runs';

/** Stops everything that waits or runs for a company, and holds against starts that race with it. */
export async function haltCompany(
  tx: Tx,
  reason: 'company_paused' | 'company_archived',
): Promise<void> {
  await haltRuns(tx, await lockAgents(tx, tx.companyId), reason);
}
