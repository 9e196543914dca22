import { pruneRuns } from '../../../adapters/agent-folders/prune-folders';
import type { Context } from '../../../context';
import { findOver } from './find-over';

/**
 * Removes the folders that runs left on this worker's disk, when the run ended more than `days` ago; runners see to
 * theirs. A folder of a run that the database does not know belongs to another installation and stays.
 */
export function pruneRunFolders(
  { config, db }: Pick<Context, 'config' | 'db'>,
  days: number,
  batch: number,
  isOver = () => false,
): Promise<number> {
  const find = (ids: Parameters<typeof findOver>[1]) =>
    findOver(db, ids, { days, companyId: null });
  // A day of margin, because the clock that decides is the database's.
  return pruneRuns(config.dataDir, find, { olderThanDays: days - 1, batch, isOver });
}
