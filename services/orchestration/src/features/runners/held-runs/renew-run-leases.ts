import type { RunnerLeasesBody, RunnerLeasesView } from '@switchyard/types';
import { renewLeases } from '../../../state/runs/claims/held-runs';
import type { RunnerCall } from '../runner-call';

/**
 * Returns the runs that the runner must stop: cancelled runs, and runs that another runner holds.
 */
export async function renewRunLeases(
  { actor, context, db }: RunnerCall,
  { instance, runs }: RunnerLeasesBody,
): Promise<RunnerLeasesView> {
  const { leaseMs } = context.config.runner;
  const { runnerId, pod } = actor;
  const own = pod ? runs.filter(({ runId }) => pod.isRedeemed && runId === pod.runId) : runs;
  const states =
    own.length === 0 ? new Map() : await renewLeases(db, { instance, runnerId, leaseMs }, own);
  return { runs: runs.map(({ runId }) => ({ runId, state: states.get(runId) ?? 'lost' })) };
}
