import type { Tx } from '../../../call';
import type { LockedAgent } from '../../agents/lock-agent';
import { budgetStop } from '../../budgets/budget-stop';
import type { BudgetReason } from '../../budgets/spent';
import type { RunEnd } from '../end-run';
import { FREE_LOSSES } from '../requeue-run';
import type { LockedRun } from './claimable';

/** How often a run is started in all before its worker's death becomes its own. */
export const MAX_ATTEMPTS = 3;

/** How a run whose lease is over ends; null when it is taken over. */
export async function endOfLost(
  tx: Tx,
  agent: LockedAgent,
  run: LockedRun,
): Promise<RunEnd | null> {
  return run.isDetached ? endDetached(run) : endInstead(run, await budgetStop(tx, agent));
}

function endInstead(run: LockedRun, stop: BudgetReason | null): RunEnd | null {
  if (run.isCancelled || stop) {
    return { status: 'cancelled', exitCode: null, errorCode: stop ?? 'cancelled' };
  }
  if (run.attempt < MAX_ATTEMPTS || isHandedOver(run)) return null;
  return {
    status: 'failed',
    exitCode: null,
    errorCode: 'worker_lost',
    error: `the worker, runner or run pod was lost in each of ${MAX_ATTEMPTS} attempts${ofLosses(run)}`,
  };
}

const ofLosses = ({ losses }: LockedRun) =>
  losses === 0 ? '' : `; losses before that cost no attempt: ${Math.min(losses, FREE_LOSSES)}`;

/** Nobody begins anew what is worked on elsewhere. */
function endDetached({ isCancelled }: LockedRun): RunEnd {
  if (isCancelled) return { status: 'cancelled', exitCode: null, errorCode: 'cancelled' };
  const error = 'the agent did not finish the run within its time';
  return { status: 'timed_out', exitCode: null, errorCode: 'timeout', error };
}

/** Let go of at no cost: by a worker or runner that stopped in order, or by one of the FREE_LOSSES. */
export const isHandedOver = (run: LockedRun): boolean => run.workerId === null;
