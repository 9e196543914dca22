import type { Database } from '@switchyard/db';
import type { UsageReport } from '../../adapters/agents/agent-adapter';
import { recordCost } from './record-cost';

/** Answers false when the claim is outdated: then nothing was written. */
export async function recordUsage(
  db: Database,
  run: { id: string; companyId: string; agentId: string; epoch: number },
  usage: UsageReport,
): Promise<boolean> {
  const recorded = await recordCost(db, {
    ...usage,
    companyId: run.companyId,
    agentId: run.agentId,
    runId: run.id,
    epoch: run.epoch,
    issueId: null,
    projectId: null,
    occurredAt: null,
    idempotency: null,
    by: null,
  });
  return recorded !== 'outdated';
}
