import { errorFields, logRepeated } from '@switchyard/server';
import { newTicket } from '../../access/credentials/run-pod-tickets';
import { type Cluster, ClusterRefused } from '../../adapters/kubernetes/cluster';
import type { PodTemplate } from '../../adapters/kubernetes/run-pod';
import type { Context } from '../../kernel/context';
import type { PodSettings } from '../../settings/pod-settings';
import type { ClaimedRun } from '../../state/runs/claims/claimed-run';
import { listPlacedRuns } from '../../state/runs/claims/pod-claims';
import { POD_INSTANCE } from '../../state/runs/claims/pod-instance';
import type { Taker } from '../../state/runs/claims/takers';
import { requeueRun } from '../../state/runs/requeue-run';
import { claimNextRun } from '../runs/claim/claim-next-run';
import { createRunSlots } from '../runs/claim/run-slots';
import { CannotStart } from '../runs/execute/cannot-start';
import { configuredAdapter } from '../runs/execute/prepare-run';
import { createRunPod, isPassing } from './create-run-pod';

export interface Placing {
  context: Context;
  cluster: Cluster;
  settings: PodSettings;
  workerId: string;
}

const AT_ONCE = 8;

/**
 * Claims waiting runs while there is room and creates a pod for each; a refused run keeps waiting.
 * Returns false if the cluster refused a pod.
 */
export async function placeRuns(placing: Placing, closing: AbortSignal): Promise<boolean> {
  const { context, cluster, settings } = placing;
  const placed = await listPlacedRuns(context.db);
  const held = placed.filter(({ leaseLeftMs }) => leaseLeftMs > 0);
  const slots = createRunSlots(settings.limit, held);
  let template: PodTemplate | null = null;
  for (let isTaken = true; isTaken && !closing.aborted; ) {
    const creations: Promise<boolean>[] = [];
    while (creations.length < AT_ONCE && slots.hasRoom() && !closing.aborted) {
      const ticket = newTicket();
      const taker: Taker = { kind: 'runner', labels: settings.labels, companyId: null };
      const { startMs: leaseMs } = settings;
      const runner = { taker, instance: POD_INSTANCE, ticketHash: ticket.hash, leaseMs };
      const claiming = { context, workerId: placing.workerId, slots, runner };
      template ??= await readTemplate(placing);
      if (!template) return false;
      const taken = await claimNextRun(claiming, null);
      if (!taken) break;
      creations.push(
        place(placing, taken.run, {
          template,
          ticket: ticket.of(taken.run),
          ticketDigest: Buffer.from(ticket.hash).toString('hex'),
        }),
      );
    }
    if (creations.length === 0) return true;
    isTaken = (await Promise.all(creations)).every(Boolean);
    if (!isTaken) return false;
  }
  return true;

  async function readTemplate({ settings: { template: name } }: Placing) {
    try {
      return await cluster.get<PodTemplate>('podtemplates', name);
    } catch (error) {
      tellRefusal(context, error, { template: name });
      return null;
    }
  }
}

async function place(
  { context, cluster, settings }: Placing,
  run: ClaimedRun,
  made: { template: PodTemplate; ticket: string; ticketDigest: string },
): Promise<boolean> {
  const { id: runId, epoch, agentId, companyId } = run;
  const deadlineSec = Math.ceil(settings.startMs / 1_000) + timeoutSecOf(context, run) + END_SEC;
  const { instance } = settings;
  try {
    await createRunPod(cluster, { ...made, claim: run, instance, deadlineSec });
    context.logger.info('a pod was created for a run', { runId, epoch, agentId, companyId });
    return true;
  } catch (error) {
    tellRefusal(context, error, { runId, epoch, agentId, companyId });
    await requeueRun(context, run);
    return false;
  }
}

const END_SEC = 300;
const LONGEST_SEC = 86_400;

function timeoutSecOf(context: Context, run: ClaimedRun): number {
  try {
    const { timeoutSec } = configuredAdapter(context, run).config;
    return typeof timeoutSec === 'number' ? Math.ceil(timeoutSec) : LONGEST_SEC;
  } catch (error) {
    if (error instanceof CannotStart) return LONGEST_SEC;
    throw error;
  }
}

function tellRefusal({ logger }: Pick<Context, 'logger'>, error: unknown, about: object): void {
  const status = error instanceof ClusterRefused ? { status: error.status } : {};
  const fields = { ...about, ...status, ...errorFields(error) };
  if (isPassing(error))
    logRepeated(
      logger,
      'warn',
      'the cluster cannot create run pods at the moment; runs wait',
      fields,
    );
  else
    logRepeated(
      logger,
      'error',
      'the cluster refuses run pods; runs wait until its configuration is corrected',
      fields,
    );
}
