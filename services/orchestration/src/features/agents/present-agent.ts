import type { AgentModel } from '@switchyard/db';
import type { AgentView } from '@switchyard/types';
import { maskConfig } from './configuration/mask-config';

export function presentAgent(row: AgentModel, spentMonthlyCents: number): AgentView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    role: row.role,
    title: row.title,
    reportsTo: row.reportsTo,
    capabilities: row.capabilities,
    status: row.status as AgentView['status'],
    pauseReason: row.pauseReason as AgentView['pauseReason'],
    pausedAt: row.pausedAt?.toISOString() ?? null,
    budgetMonthlyCents: Number(row.budgetMonthlyCents),
    spentMonthlyCents,
    adapterType: row.adapterType,
    adapterConfig: maskConfig(row.adapterConfig as Record<string, unknown>),
    maxConcurrentRuns: row.maxConcurrentRuns,
    wakeOnAssignment: row.wakeOnAssignment,
    lastHeartbeatAt: row.lastHeartbeatAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
