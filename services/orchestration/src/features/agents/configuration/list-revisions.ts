import { ask, type RowOf, select, statement } from '@switchyard/db';
import type { AgentConfiguration, ConfigRevisionView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { decodeCursor } from '../../../lists/page';
import { pageWithinBytes, withinBytes } from '../../../lists/page-bytes';
import { maskConfig, type Reader } from './mask-config';

/**
 * Orders by number, because a later change may have an earlier time. A page may be shorter than
 * `limit`, because each revision contains two configurations.
 */
export async function listRevisions(
  call: Call,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { limit } = query;
  const below = Number(decodeCursor(query.cursor, ['int'])?.[0] ?? 2_147_483_647);
  const rows = await ask(call.db, readRevisions, { agentId, below, limit });
  const reader = { actor: call.actor, companyId: call.companyId, agentId };
  const shown = rows.map((row) => ({ ...present(row, reader), found: row.found }));
  return pageWithinBytes(shown, limit, (row) => [row.revisionNumber]);
}

function present(
  { found: _, ...row }: RowOf<typeof readRevisions>,
  reader: Reader,
): ConfigRevisionView {
  const masked = (configuration: AgentConfiguration): AgentConfiguration => ({
    ...configuration,
    adapterConfig: maskConfig(configuration.adapterConfig, reader),
  });
  const before = row.before && masked(row.before);
  return { ...(row as ConfigRevisionView), before, after: masked(row.after) };
}

const REVISION = {
  id: 'uuid',
  agentId: 'uuid',
  revisionNumber: 'int',
  changedKeys: 'text[]?',
  before: 'json?',
  after: 'json',
  source: 'text',
  rolledBackFromRevisionId: 'uuid?',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  createdAt: 'time',
} as const;

const readRevisions = statement('list-config-revisions', {
  takes: { agentId: 'uuid', below: 'int', limit: 'int' },
  gives: { ...REVISION, found: 'int' },
  sql: (p) => `
    SELECT ${select(REVISION, 'r')}, r.found FROM (${withinBytes({
      rows: `SELECT * FROM agent_config_revision
        WHERE agent_id = ${p.agentId} AND revision_number < ${p.below}`,
      order: 'revision_number DESC',
      bytes: 'octet_length(after::text) + coalesce(octet_length(before::text), 0)',
      limit: p.limit,
    })}) r`,
});
