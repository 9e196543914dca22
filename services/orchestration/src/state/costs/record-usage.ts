import type { UsageReport } from '@switchyard/runner/agents/agent-adapter';
import type { CostSource } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { countSession } from '../runs/agent-sessions';
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

/**
 * Records usage. Some tools count from the beginning of their session, so the new count is stored
 * in the same transaction, and each token counts once. Does not lock agent or issue.
 */
export async function storeUsage(
  call: Call,
  run: { id: string; agentId: string; epoch: number; issueId: string | null },
  adapterType: string,
  { counted, ...usage }: UsageReport,
  sessionId: string | null,
  source: CostSource = 'agent',
): Promise<void> {
  const { agentId, issueId } = run;
  if (!counted || !sessionId || !issueId) {
    await recordUsage(call, run, usage, source);
    return;
  }
  await inTransaction(call, async (tx) => {
    if (!(await recordUsage(tx, run, usage, source))) return;
    await countSession(tx, { agentId, issueId }, adapterType, counted, sessionId);
  });
}
