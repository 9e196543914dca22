import { createSignal } from '@switchyard/async';
import type { RunAssignment, RunnerNextBody, RunnerWork } from '@switchyard/types';
import type { Response } from 'express';
import { newToken } from '../../access/sign-in/tokens';
import { type PresentInstance, presentInstance } from '../../state/runners/instances';
import { letGoOfRuns } from '../../state/runs/claims/held-runs';
import type { Taker } from '../../state/runs/claims/takers';
import { requeueRun } from '../../state/runs/requeue-run';
import { unclaimChecks } from '../checks/claim-checks';
import { claimNextRun } from '../runs/claim/claim-next-run';
import { createRunSlots, type RunSlots } from '../runs/claim/run-slots';
import { assignChecks } from './assign-checks';
import { assignRun } from './assign-run';
import type { RunnerCall } from './runner-call';

/**
 * What a runner may do next; nothing after `waitMs` without any. A runner asks once at a time: whoever asks anew ends the
 * call before. What it was given and does not name as running never reached it, and is taken back first.
 * @throws ApiError 409 `unknown_instance`, `runner_replaced`
 */
export async function nextWork(
  call: RunnerCall & { response: Response },
  body: RunnerNextBody,
): Promise<RunnerWork> {
  const { actor, context, db, response } = call;
  const { instance, running } = body;
  const present = await presentInstance(db, actor, instance);
  const isMissing = heldBy(present).some(({ id }) => !running.includes(id));
  if (isMissing) await letGoOfRuns(call, { instances: [instance], except: running });
  const end = performance.now() + body.waitMs;
  const news = createSignal();
  let isOver = false;
  const stop = () => {
    isOver = true;
    news.notify();
  };
  const leave = context.runnerNews.join(instance, { onNews: news.notify, end: stop });
  response.once('close', stop);
  try {
    for (;;) {
      if (isOver) return NOTHING;
      const work = await takeWork(call, body, present);
      if (isOver) await giveBack(call, work);
      else if (work.runs.length > 0 || work.checks.length > 0) return work;
      const left = end - performance.now();
      if (isOver || left <= 0) return NOTHING;
      await news.wait(Math.min(left, LOOK_MS));
    }
  } finally {
    response.off('close', stop);
    leave();
  }
}

const NOTHING: RunnerWork = { runs: [], checks: [] };

/** What waits is looked for at each news, and at least so often. */
const LOOK_MS = 1_000;

const heldBy = ({ runs }: PresentInstance) => runs as { id: string; companyId: string }[];

async function takeWork(
  call: RunnerCall,
  { instance, free, running, checks }: RunnerNextBody,
  present: PresentInstance,
): Promise<RunnerWork> {
  if (call.context.config.workerPaused) return NOTHING;
  const { labels } = present;
  const taker: Taker = { kind: 'runner', labels, companyId: call.actor.companyId };
  const held = heldBy(present).filter(({ id }) => running.includes(id));
  const slots = createRunSlots(held.length + free, held);
  const [runs, looks] = await Promise.all([
    free > 0 ? takeRuns(call, { taker, instance, slots }) : [],
    checks > 0 ? assignChecks(call.context, { taker, instance, free: checks }) : [],
  ]);
  return { runs, checks: looks };
}

/** Of one response: the first of many is not to wait for the last. */
const MOST_RUNS = 8;

/** While what a run needs is put together, the next is claimed. */
async function takeRuns(
  { context }: RunnerCall,
  { taker, instance, slots }: { taker: Taker; instance: string; slots: RunSlots },
): Promise<RunAssignment[]> {
  const assigned: Promise<RunAssignment | null>[] = [];
  while (assigned.length < MOST_RUNS && slots.hasRoom()) {
    const { token: ticket, hash: ticketHash } = newToken();
    const runner = { taker, instance, ticketHash };
    const claiming = { context, workerId: `runner-${instance}`, slots, runner };
    const taken = await claimNextRun(claiming, null);
    if (!taken) break;
    assigned.push(
      assignRun(context, taken.run, ticket).then((assignment) => {
        if (assignment === null) taken.leave();
        return assignment;
      }),
    );
  }
  return (await Promise.all(assigned)).filter((one) => one !== null);
}

/** Of a caller that has gone: it would never know. */
async function giveBack({ context }: RunnerCall, { runs, checks }: RunnerWork): Promise<void> {
  await unclaimChecks(
    context,
    checks.map(({ checkId }) => checkId),
  );
  for (const { runId, epoch } of runs) await requeueRun(context, { id: runId, epoch });
}
