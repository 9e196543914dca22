import type { CostEventView } from '@switchyard/types';
import type { CostRow } from '../../state/budgets/write-cost';

export function presentCostEvent(row: CostRow): CostEventView {
  return {
    id: row.id,
    companyId: row.companyId,
    agentId: row.agentId,
    issueId: row.issueId,
    projectId: row.projectId,
    goalId: row.goalId,
    runId: row.runId,
    provider: row.provider,
    model: row.model,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    costCents: row.costCents,
    unpriced: row.unpriced,
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
