import type { RunnerFoldersBody, RunnerFoldersView } from '@switchyard/types';
import { findOver } from '../runs/sweep/find-over';
import { type RunnerCall, refusePods } from './runner-call';

/** A company's runner only learns about its own company. */
export async function findFolders(
  { actor, context, db }: RunnerCall,
  ids: RunnerFoldersBody,
): Promise<RunnerFoldersView> {
  refusePods(actor);
  const days = context.config.retention.runDays;
  return { over: await findOver(db, ids, { days, companyId: actor.companyId }) };
}
