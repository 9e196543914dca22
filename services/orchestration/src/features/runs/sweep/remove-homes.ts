import { pruneHomes } from '@switchyard/runner/agent-folders/prune-folders';
import type { Context } from '../../../kernel/context';
import { findOver } from './find-over';

export function removeHomes({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> {
  return pruneHomes(config.dataDir, (ids) => findOver(db, ids, { days: 0, companyId: null }));
}
