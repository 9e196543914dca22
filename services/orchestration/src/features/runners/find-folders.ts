import type { RunnerFoldersBody, RunnerFoldersView } from '@switchyard/types';
import { findOver } from '../runs/sweep/find-over';
import { type RunnerCall, refusePods } from './runner-call';

export async function findFolders(
  { actor, context, db }: RunnerCall,
  ids: RunnerFoldersBody,
): Promise<RunnerFoldersView> {
  refusePods(actor);
  const days = context.config.retention.runDays;
  return { over: await findOver(db, ids, { days, companyId: actor.companyId }) };
}
