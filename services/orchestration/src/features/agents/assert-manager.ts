import type { Tx } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import { assertNoCycle } from '../../hierarchy';

const details = { field: 'reportsTo' };

/**
 * Nobody reports to an agent that will never come back, nor to itself over any number of steps. An
 * agent of another company is left to the composite key. `agentId` is null for an agent that does not
 * exist yet.
 * @throws Refusal 422 `unknown_reference`, `semantic_error` for a terminated manager, `cycle`
 */
export async function assertManager(
  tx: Tx,
  companyId: string,
  agentId: string | null,
  reportsTo: string,
): Promise<void> {
  const manager = await tx.agent.findUnique({
    where: { id: reportsTo },
    select: { companyId: true, status: true },
  });
  if (!manager) throw semantic('unknown_reference', 'reportsTo does not exist', details);
  if (manager.companyId !== companyId) return;
  if (manager.status === 'terminated') {
    throw semantic('semantic_error', 'reportsTo is terminated', details);
  }
  if (agentId) await assertNoCycle(tx, 'agent', companyId, agentId, reportsTo);
}
