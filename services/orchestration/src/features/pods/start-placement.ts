import { hostname } from 'node:os';
import { type Loop, repeat } from '@switchyard/async';
import { newId } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import { openCluster } from '../../adapters/kubernetes/cluster';
import type { Context } from '../../kernel/context';
import { enterPodInstance } from '../../state/runners/pod-instance';
import { runnerNews } from '../runners/runner-news';
import { placeRuns } from './place-runs';
import { type Tending, tendPods } from './tend-pods';

const LOOK_MS = 1_000;
const TEND_MS = 2_000;
const ENTER_EVERY_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Runs with RUN_POD_NAMESPACE. All state is in the runs' rows and in the cluster, so workers may
 * restart and run concurrently.
 */
export function startPodPlacement(context: Context): Pick<Loop, 'close'> {
  const { config, logger, db } = context;
  const settings = config.pods;
  if (!settings) return { close: async () => undefined };
  const cluster = openCluster(settings.cluster);
  const workerId = `pods-${hostname()}-${process.pid}-${newId()}`;
  const placing = { context, cluster, settings, workerId };
  const { instance, labels, limit } = settings;
  const tending: Tending = { context, cluster, instance, missing: new Map(), seen: new Set() };
  const tell = (what: string) => (error: unknown) => logger.warn(what, errorFields(error));
  let refusals = 0;

  const entering = repeat(async () => {
    await enterPodInstance(db, { labels, capacity: limit }).catch(
      tell('run pods could not be registered as a runner'),
    );
    return ENTER_EVERY_MS;
  });
  const placingLoop = repeat(async (closing) => {
    const isTaken = await placeRuns(placing, closing).catch((error: unknown) => {
      tell('no pods could be created for runs; the next round retries')(error);
      return false;
    });
    refusals = isTaken ? 0 : refusals + 1;
    if (isTaken) return Math.min(LOOK_MS, config.sweepMs * 2);
    const firstMs = Math.min(FIRST_PAUSE_MS, config.sweepMs * 4);
    return Math.min(firstMs * 2 ** Math.min(refusals - 1, 10), LONGEST_PAUSE_MS);
  });
  const tendingLoop = repeat(async () => {
    await tendPods(tending).catch(tell('run pods could not be read; the next round retries'));
    return Math.min(TEND_MS, config.sweepMs * 4);
  });
  const onNews = () => {
    if (refusals === 0) placingLoop.runNow();
  };
  const { leave } = runnerNews(context).join(`pods ${workerId}`, {
    onNews,
    onFreed: onNews,
    end: () => undefined,
  });
  return {
    close: async () => {
      leave();
      await Promise.all([entering.close(), placingLoop.close(), tendingLoop.close()]);
      cluster.close();
    },
  };
}
