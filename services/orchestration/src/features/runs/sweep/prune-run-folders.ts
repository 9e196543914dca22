import { pruneRuns } from '@switchyard/runner/agent-folders/prune-folders';
import type { Context } from '../../../kernel/context';
import { findOver } from './find-over';

/** Keeps folders of unknown runs, because they belong to another installation. */
export function pruneRunFolders(
  { config, db }: Pick<Context, 'config' | 'db'>,
  days: number,
  batch: number,
  isOver = () => false,
): Promise<number> {
  const find = (ids: Parameters<typeof findOver>[1]) =>
    findOver(db, ids, { days, companyId: null });
  // Selects folders one day early, because the database applies the exact limit with its own clock.
  return pruneRuns(config.dataDir, find, { olderThanDays: days - 1, batch, isOver });
}
