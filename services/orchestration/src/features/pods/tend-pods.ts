import { type Cluster, ClusterAway, isRefusedWith } from '../../adapters/kubernetes/cluster';
import { type PodWithStatus, podStateOf } from '../../adapters/kubernetes/pod-state';
import { claimOfPod, podNameOf, podSelector } from '../../adapters/kubernetes/run-pod';
import type { Context } from '../../kernel/context';
import {
  listPlacedRuns,
  loseRun,
  type PlacedRun,
  type PodLoss,
} from '../../state/runs/claims/pod-claims';

export interface Tending {
  context: Context;
  cluster: Cluster;
  instance: string;
  /** Time at which each claim was first seen without its pod; kept between rounds. */
  missing: Map<string, number>;
  seen: Set<string>;
}

/** After this time in ms without a pod, the worker that claimed the run counts as dead. */
const CREATED_WITHIN_MS = 45_000;
const GIVEN_UP_BEFORE_MS = 2_000;
const GRACE_SEC = 30;

/**
 * Removes pods of ended claims, and releases claims whose pod has disappeared or cannot start. Safe
 * with any number of workers.
 * @throws the first failure, after it has checked all pods
 */
export async function tendPods(tending: Tending): Promise<void> {
  const { context, cluster, instance } = tending;
  const pods = await cluster.list<PodWithStatus>('pods', podSelector(instance));
  const claims = new Map((await listPlacedRuns(context.db)).map((run) => [podNameOf(run), run]));
  const names = new Set(pods.map(({ metadata }) => metadata.name));
  const faults: unknown[] = [];
  const note = (fault: unknown) => {
    if (fault instanceof ClusterAway) throw fault;
    faults.push(fault);
  };
  for (const pod of pods) {
    const run = claims.get(pod.metadata.name);
    if (run && claimOfPod(pod)?.epoch === run.epoch) await tendHeld(tending, pod, run).catch(note);
    else await removeOver(tending, pod).catch(note);
  }
  for (const [name, run] of claims) {
    if (!names.has(name)) await tendMissing(tending, name, run).catch(note);
  }
  for (const name of tending.missing.keys()) {
    if (names.has(name) || !claims.has(name)) tending.missing.delete(name);
  }
  tending.seen = names;
  if (faults.length > 0) throw faults[0];
}

async function tendHeld(tending: Tending, pod: PodWithStatus, run: PlacedRun): Promise<void> {
  const { context, cluster } = tending;
  const state = podStateOf(pod);
  if (state.stage === 'running') return;
  if (pod.metadata.deletionTimestamp && state.stage !== 'over') return;
  const isOver = state.stage === 'over' || state.isHopeless || run.isCancelRequested;
  if (!isOver && run.leaseLeftMs > GIVEN_UP_BEFORE_MS) return;
  // A pod that was never scheduled cannot have broken its node, so it does not count as a loss.
  const ofCluster = state.stage === 'over' ? 'loss' : 'nothing';
  const { reason, isTimeout } = state;
  const cost = state.isFault ? 'attempt' : ofCluster;
  await lose(context, pod.metadata.name, run, { reason, cost, isTimeout });
  await cluster.remove('pods', pod, state.stage === 'over' ? 0 : GRACE_SEC);
}

async function removeOver({ cluster }: Tending, pod: PodWithStatus): Promise<void> {
  if (pod.metadata.deletionTimestamp) return;
  await cluster.remove('pods', pod, GRACE_SEC);
}

async function tendMissing(tending: Tending, name: string, run: PlacedRun): Promise<void> {
  const { context, cluster, missing, seen } = tending;
  const now = performance.now();
  const since = missing.get(name) ?? now;
  missing.set(name, since);
  if (!seen.has(name) && now - since < CREATED_WITHIN_MS && !run.isCancelRequested) return;
  try {
    await cluster.get('pods', name);
  } catch (error) {
    if (!isRefusedWith(error, 404)) throw error;
    const reason = seen.has(name) ? 'Deleted' : 'NotCreated';
    await lose(context, name, run, { reason, cost: 'loss', isTimeout: false });
  }
}

async function lose(
  context: Context,
  name: string,
  run: PlacedRun,
  { reason, ...loss }: PodLoss,
): Promise<void> {
  const reworded = { ...loss, reason: `the run pod was lost: ${reason}` };
  if (!(await loseRun(context, run, reworded))) return;
  const { id: runId, epoch, agentId, companyId } = run;
  const about = { pod: name, runId, epoch, agentId, companyId, reason };
  context.logger.warn('a run pod was lost', about);
}
