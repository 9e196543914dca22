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
import { callerOf, type RunnerCall, refusePods } from './runner-call';

/**
 * What a runner may do next; nothing after `waitMs` without any. A runner asks once at a time: whoever asks anew ends the
 * call before. What it was given and does not name as running never reached it, and is taken back first.
 * @throws ApiError 409 `unknown_instance`, `runner_replaced`
 */
export async function nextWork(
  call: RunnerCall & { response: Response },
  body: RunnerNextBody,
): Promise<RunnerWork> {
  const { actor, context, response } = call;
  refusePods(actor);
  const end = performance.now() + body.waitMs;
  const news = createSignal();
  let isOver = false;
  let isBounded = false;
  const stop = () => {
    isOver = true;
    news.notify();
  };
  // A place that becomes free matters where a company has its share.
  const onFreed = () => {
    if (isBounded) news.notify();
  };
  const waiting = { onNews: news.notify, onFreed, end: stop };
  const leave = context.runnerNews.join(callerOf(actor, body.instance), waiting);
  response.once('close', stop);
  try {
    const present = await takeBack(call, body);
    const places = heldBy(present, body).length + body.free;
    for (let now = present; ; now = await again(call, body, now)) {
      if (isOver) return NOTHING;
      const slots = createRunSlots(places, heldBy(now, body));
      const work = await takeWork(call, body, { labels: now.labels, slots });
      isBounded = slots.full().length > 0;
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

/** Behind the end of the call before, so that nothing is given by that one meanwhile. */
async function takeBack(call: RunnerCall, body: RunnerNextBody): Promise<PresentInstance> {
  const { instance, running: except } = body;
  const present = await presentInstance(call.db, call.actor, instance);
  if (present.runs.length > heldBy(present, body).length) {
    await letGoOfRuns(call, { instances: [instance], except });
  }
  return present;
}

/** Whoever holds runs may hold fewer by now. */
async function again(
  { actor, db }: RunnerCall,
  { instance }: RunnerNextBody,
  before: PresentInstance,
): Promise<PresentInstance> {
  return before.runs.length > 0 ? presentInstance(db, actor, instance) : before;
}

const heldBy = ({ runs }: PresentInstance, { running }: RunnerNextBody) =>
  (runs as { id: string; companyId: string }[]).filter(({ id }) => running.includes(id));

async function takeWork(
  call: RunnerCall,
  { instance, free, checks }: RunnerNextBody,
  { labels, slots }: { labels: string[]; slots: RunSlots },
): Promise<RunnerWork> {
  if (call.context.config.workerPaused) return NOTHING;
  const { companyId } = call.actor;
  const taker: Taker = { kind: 'runner', labels, companyId };
  // Runs that need no label have pods of their own then; somebody has to look at agents all the same.
  const isForChecks =
    call.context.config.pods !== null && companyId === null && labels.length === 0;
  const [runs, looks] = await Promise.all([
    free > 0 && !isForChecks ? takeRuns(call, { taker, instance, slots }) : [],
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
  const { agentApiUrl, publicUrl } = context.config;
  // A company's runner is elsewhere, where the agents' own address of the API is not to be reached.
  const apiUrl = taker.companyId === null ? agentApiUrl : publicUrl;
  const assigned: Promise<RunAssignment | null>[] = [];
  while (assigned.length < MOST_RUNS && slots.hasRoom()) {
    const { token: ticket, hash: ticketHash } = newToken();
    const runner = { taker, instance, ticketHash };
    const claiming = { context, workerId: `runner-${instance}`, slots, runner };
    const taken = await claimNextRun(claiming, null);
    if (!taken) break;
    assigned.push(
      assignRun(context, taken.run, { ticket, apiUrl }).then((assignment) => {
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
