import { type AgentConfigRevisionModel, Prisma } from '@switchyard/db';
import type { AgentConfiguration, ConfigRevisionView } from '@switchyard/types';
import type { Call } from '../../../call';
import { decodeCursor, pageOf } from '../../../lists/page';
import { idsWithinBytes } from '../../../lists/page-bytes';
import { maskConfig } from './mask-config';

/**
 * Newest first by number: of two changes that waited for each other, the later may have the earlier time. A page may be
 * shorter than `limit`, because each revision carries two configurations whole.
 */
export async function listRevisions(
  call: Call,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { prisma } = call.db;
  const below = Number(decodeCursor(query.cursor, ['int'])?.[0] ?? 2_147_483_647);
  const large = {
    table: Prisma.sql`agent_config_revision`,
    where: Prisma.sql`agent_id = ${agentId}::uuid AND revision_number < ${below}`,
    order: Prisma.sql`revision_number DESC`,
    bytes: Prisma.sql`octet_length(after::text) + coalesce(octet_length(before::text), 0)`,
  };
  const { ids, hasMore } = await idsWithinBytes(call.db, large, query.limit);
  const rows = await prisma.agentConfigRevision.findMany({
    where: { id: { in: ids } },
    orderBy: { revisionNumber: 'desc' },
  });
  return pageOf(rows, query.limit, hasMore, presentRevision, (row) => [row.revisionNumber]);
}

function presentRevision(row: AgentConfigRevisionModel): ConfigRevisionView {
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

function maskConfiguration(stored: unknown): AgentConfiguration {
  const configuration = stored as AgentConfiguration;
  return { ...configuration, adapterConfig: maskConfig(configuration.adapterConfig) };
}
