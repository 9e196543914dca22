import type { RunEnd } from '../end-run';
import { FREE_LOSSES } from '../requeue-run';
import { MAX_ATTEMPTS } from './claimable';

export function endOfLost({ loss, losses }: { loss: string | null; losses: number }): RunEnd {
  const errorCode = loss ?? 'cancelled';
  switch (errorCode) {
    case 'timeout': {
      const error = 'the agent did not finish the run within its time limit';
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
  losses === 0
    ? ''
    : `; earlier losses, which do not count as attempts: ${Math.min(losses, FREE_LOSSES)}`;

export const isHandedOver = (run: { workerId: string | null }): boolean => run.workerId === null;
