import type { Transaction } from '@switchyard/db';
import { haltRuns } from '../../state/runs/halt-runs';

/** Stops everything that waits or runs for a company, and holds against starts that race with it. */
export async function haltCompany(
  tx: Transaction,
  companyId: string,
  reason: 'company_paused' | 'company_archived',
): Promise<void> {
  const agents = await tx.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM agent WHERE company_id = ${companyId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  await haltRuns(
    tx,
    agents.map((agent) => agent.id),
    reason,
  );
}
