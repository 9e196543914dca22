import type { RunEnd } from '../end-run';
import { FREE_LOSSES } from '../requeue-run';

/** How often a run is started in all before its worker's death becomes its own. */
export const MAX_ATTEMPTS = 3;

/**
 * SQL: why the run `r`, whose lease is over, ends, with the column `stop` of its `budget`; null when another takes it over. What
 * its agent works on elsewhere is not begun again.
 */
export const lossSql = `CASE
  WHEN r.is_detached AND r.cancel_requested_at IS NULL THEN 'timeout'
  WHEN r.is_detached THEN 'cancelled'
  ELSE coalesce(budget.stop, CASE
    WHEN r.cancel_requested_at IS NOT NULL THEN 'cancelled'
    WHEN r.attempt >= ${MAX_ATTEMPTS} AND r.worker_id IS NOT NULL THEN 'worker_lost' END) END`;

/** The end of a run for the reason that `lossSql` returns. */
export function endOfLost({ loss, losses }: { loss: string | null; losses: number }): RunEnd {
  const errorCode = loss ?? 'cancelled';
  switch (errorCode) {
    case 'timeout': {
      const error = 'the agent did not finish the run within its time';
      return { status: 'timed_out', exitCode: null, errorCode, error };
    }
    case 'worker_lost': {
      const error = `the worker, runner or run pod was lost in each of ${MAX_ATTEMPTS} attempts${freeLosses(losses)}`;
      return { status: 'failed', exitCode: null, errorCode, error };
    }
    default:
      return { status: 'cancelled', exitCode: null, errorCode };
  }
}

const freeLosses = (losses: number) =>
  losses === 0 ? '' : `; losses before that cost no attempt: ${Math.min(losses, FREE_LOSSES)}`;

/** Released at no cost: by a worker or runner that stopped in order, or by one of the FREE_LOSSES. */
export const isHandedOver = (run: { workerId: string | null }): boolean => run.workerId === null;
