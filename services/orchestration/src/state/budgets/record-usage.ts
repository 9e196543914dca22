import type { CostSource } from '@switchyard/types';
import type { UsageReport } from '../../adapters/agents/agent-adapter';
import type { Call } from '../../kernel/call';
import { recordCost } from './record-cost';

export async function recordUsage(
  call: Call,
  run: { id: string; agentId: string; epoch: number },
  usage: UsageReport,
  source: CostSource,
): Promise<boolean> {
  const recorded = await recordCost(call, {
    ...usage,
    source,
    disputedCents: 0,
    companyId: call.companyId,
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
