import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, isId, statement } from '@switchyard/db';
import { homeOf } from '../../../adapters/agents/environment/agent-home';
import type { Context } from '../../../context';

/**
 * Removes from this worker's disk the homes of agents that will never come back, with the sign-ins of tools in them.
 * Those of an archived company stay, for it may.
 */
export async function removeHomes({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> {
  const homes = join(config.dataDir, 'homes');
  for (const companyId of await namesIn(homes)) {
    const ids = await namesIn(join(homes, companyId));
    if (ids.length === 0) continue;
    const gone = await ask(db, findGone, { ids });
    for (const owner of gone) await rm(homeOf(homes, owner), { recursive: true, force: true });
  }
}

const namesIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => isId(name));

const findGone = statement('gone-agents', {
  takes: { ids: 'uuid[]' },
  gives: { agentId: 'uuid', companyId: 'uuid' },
  sql: ({ ids }) => `
    SELECT a.id AS "agentId", a.company_id AS "companyId" FROM agent a
    WHERE a.id = ANY (${ids}) AND a.status = 'terminated' AND NOT EXISTS (
      SELECT 1 FROM heartbeat_run r WHERE r.agent_id = a.id AND r.status = 'running')`,
});
