import type { RunnerFoldersBody, RunnerFoldersView } from '@switchyard/types';
import { findOver } from '../runs/sweep/find-over';
import { type RunnerCall, refusePods } from './runner-call';

/** Of what lies on a runner's disk, what may be removed; a company's runner learns of its own company alone. */
export async function findFolders(
  { actor, context, db }: RunnerCall,
  ids: RunnerFoldersBody,
): Promise<RunnerFoldersView> {
  refusePods(actor);
  const days = context.config.retention.runDays;
  return { over: await findOver(db, ids, { days, companyId: actor.companyId }) };
}
