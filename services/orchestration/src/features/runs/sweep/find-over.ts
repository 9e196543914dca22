import { ask, type Database, statement } from '@switchyard/db';
import type { FolderIds } from '@switchyard/runner/agent-folders/prune-folders';

export async function findOver(
  db: Database,
  { runIds, agentIds }: FolderIds,
  { days, companyId }: { days: number; companyId: string | null },
): Promise<string[]> {
  const runs =
    days === 0 || runIds.length === 0
      ? []
      : ask(db, findLongOver, { ids: runIds, days, companyId });
  const agents = agentIds.length === 0 ? [] : ask(db, findGone, { ids: agentIds, companyId });
  const over = [...(await runs), ...(await agents)].map(({ id }) => id);
  if (companyId !== null) return over;
  return [...new Set([...over, ...(await findDeleted(db, [...runIds, ...agentIds]))])];
}

export async function findDeleted(db: Database, ids: string[]): Promise<string[]> {
  return ids.length === 0 ? [] : (await ask(db, findDeletedIds, { ids })).map(({ id }) => id);
}

const findDeletedIds = statement('find-deleted-folders', {
  takes: { ids: 'uuid[]' },
  gives: { id: 'uuid' },
  sql: ({ ids }) => `
    SELECT id FROM deleted_folder WHERE id = ANY (${ids})
    UNION ALL SELECT id FROM deleted_company WHERE id = ANY (${ids})`,
});

/** Excludes runs whose folder a continued conversation has used recently. */
const findLongOver = statement('runs-long-over', {
  takes: { ids: 'uuid[]', days: 'int', companyId: 'uuid?' },
  gives: { id: 'uuid' },
  sql: ({ ids, days, companyId }) => `
    SELECT id FROM heartbeat_run
    WHERE id = ANY (${ids}) AND finished_at < now() - make_interval(days => ${days})
      AND (${companyId}::uuid IS NULL OR company_id = ${companyId})
      AND id::text NOT IN (SELECT right(directory, 36) FROM agent_session
        WHERE updated_at >= now() - make_interval(days => ${days}))`,
});

const findGone = statement('gone-agents', {
  takes: { ids: 'uuid[]', companyId: 'uuid?' },
  gives: { id: 'uuid' },
  sql: ({ ids, companyId }) => `
    SELECT a.id FROM agent a
    WHERE a.id = ANY (${ids}) AND a.status = 'terminated'
      AND (${companyId}::uuid IS NULL OR a.company_id = ${companyId})
      AND NOT EXISTS (SELECT 1 FROM heartbeat_run r WHERE r.agent_id = a.id AND r.status = 'running')`,
});
