import type { AgentConfigRevisionModel } from '@switchyard/db';
import type { AgentConfiguration, ConfigRevisionView } from '@switchyard/types';
import { maskConfig } from './mask-config';

function maskConfiguration(stored: unknown): AgentConfiguration {
  const configuration = stored as AgentConfiguration;
  return { ...configuration, adapterConfig: maskConfig(configuration.adapterConfig) };
}

export function presentRevision(row: AgentConfigRevisionModel): ConfigRevisionView {
  return {
    id: row.id,
    agentId: row.agentId,
    revisionNumber: row.revisionNumber,
    changedKeys: row.changedKeys as ConfigRevisionView['changedKeys'],
    before: row.before === null ? null : maskConfiguration(row.before),
    after: maskConfiguration(row.after),
    source: row.source as ConfigRevisionView['source'],
    rolledBackFromRevisionId: row.rolledBackFromRevisionId,
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
  };
}
