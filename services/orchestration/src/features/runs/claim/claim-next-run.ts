import type { Context } from '../../../context';
import { type ClaimedRun, claimRun } from './claim-run';
import { findWaitingRun } from './find-waiting-run';
import type { RunSlots } from './run-slots';

/** Claims that may be lost to other workers, or come to nothing, before the next hint is waited for. */
const MAX_TRIES = 20;

export interface TakenRun {
  run: ClaimedRun;
  /** Gives the place back. */
  leave(): void;
}

interface Claiming {
  context: Context;
  workerId: string;
  slots: RunSlots;
}

/** Claims one run with the place that it takes; without a place it may still be ended. */
async function claimInto(
  { context, workerId, slots }: Claiming,
  run: { id: string; companyId: string },
): Promise<TakenRun | null> {
  const leave = slots.take(run);
  try {
    const claimed = await claimRun(context, run.id, workerId, { hasPlace: leave !== null });
    if (claimed && leave) return { run: claimed, leave };
    leave?.();
    return null;
  } catch (error) {
    leave?.();
    throw error;
  }
}

/** The run that a hint named when it is one whose worker is gone: what has begun goes before what waits. */
async function claimAbandoned(claiming: Claiming, runId: string): Promise<TakenRun | null> {
  const run = await claiming.context.db.prisma.heartbeatRun.findUnique({
    where: { id: runId, status: 'running' },
    select: { id: true, companyId: true },
  });
  return run && claimInto(claiming, run);
}

/**
 * Claims the run that is next in all fairness: of the company with the fewest running among those that
 * wait and have not their share of this worker. A hint, or a place that becomes free, is a permission to
 * claim, whatever run it came for: as many hints come as runs wait, so what one passes over another
 * takes; and what is passed over because its company has its share is claimed by the next place that
 * this worker has free, or by whom the sweep tells. Null when there is nothing to do.
 */
export async function claimNextRun(
  claiming: Claiming,
  hintedId: string | null,
): Promise<TakenRun | null> {
  const { context, slots } = claiming;
  if (slots.isClosed()) return null;
  const abandoned = hintedId && (await claimAbandoned(claiming, hintedId));
  if (abandoned) return abandoned;
  const tried: string[] = [];
  while (tried.length < MAX_TRIES) {
    const next = await findWaitingRun(context.db, {
      hintedId,
      notOf: slots.full(),
      not: [...slots.runIds(), ...tried],
      maxRunning: context.config.maxRunningRunsPerCompany,
    });
    if (!next) return null;
    const taken = await claimInto(claiming, next);
    if (taken) return taken;
    tried.push(next.id);
  }
  return null;
}
