import {
  pruneHomes,
  pruneRepositories,
  pruneRuns,
} from '@switchyard/runner/agent-folders/prune-folders';
import type { Context } from '../../../kernel/context';
import { findDeleted, findOver } from './find-over';

type Parts = Pick<Context, 'config' | 'db'>;
type Find = Parameters<typeof pruneHomes>[1];

export async function removeHomes({ config, db }: Parts): Promise<void> {
  const find: Find = (ids) => findOver(db, ids, { days: 0, companyId: null });
  await pruneHomes(config.dataDir, find);
  await pruneRepositories(config.dataDir, find);
}

export async function removeDeletedFolders({ config, db }: Parts): Promise<void> {
  const find: Find = ({ runIds, agentIds }) => findDeleted(db, [...runIds, ...agentIds]);
  await pruneHomes(config.dataDir, find);
  await pruneRepositories(config.dataDir, find);
  await pruneRuns(config.dataDir, find, { olderThanDays: 0 });
}
