import { createSignal } from '@switchyard/async';
import type { CheckAssignment, RunAssignment, RunnerNextBody, RunnerWork } from '@switchyard/types';
import type { Response } from 'express';
import { newToken } from '../../access/sign-in/tokens';
import type { Waited } from '../../kernel/announce-work';
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
import { type Joined, LOOK_MS, runnerNews } from './runner-news';

/**
 * A runner has one call at a time: a new call ends the previous one. Assigned work that the
 * runner does not list as running was lost on the way, and returns to the queue.
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
  const onFreed = () => {
    if (isBounded) news.notify();
  };
  const waiting = { seq: body.seq, onNews: news.notify, onFreed, end: stop };
  const joined = runnerNews(context).join(callerOf(actor, body.instance), waiting);
  response.once('close', stop);
  try {
    let present = await takeBack(call, body);
    const isOvertaken = present.runs.some(({ seq }) => seq > (body.seq ?? seq));
    if (isOvertaken) return NOTHING;
    const places = heldBy(present, body).length + present.over + body.free;
    let isPresent = true;
    for (;;) {
      if (isOver) return NOTHING;
      const slots = createRunSlots(places, heldBy(present, body));
      const work = await takeWork(call, body, { labels: present.labels, slots, joined });
      isBounded = slots.full().length > 0;
      if (isOver) await giveBack(call, work);
      else if (work.runs.length > 0 || work.checks.length > 0) return work;
      const left = end - performance.now();
      if (isOver || left <= 0) return NOTHING;
      // Reads the runner's runs again, because the notification that a run has ended may have been
      // lost.
      const mustKnow: boolean = isBounded && !isPresent;
      const isTold: boolean = mustKnow || (await news.wait(Math.min(left, LOOK_MS)));
      isPresent = mustKnow || isBounded || !isTold;
      if (isPresent && present.runs.length > 0) {
        present = await presentInstance(call.db, actor, body);
      }
    }
  } finally {
    response.off('close', stop);
    joined.leave();
  }
}

const NOTHING: RunnerWork = { runs: [], checks: [] };

/**
 * Releases work that never arrived. Runs after the previous poll has ended, so that the two polls
 * cannot hand out the same work.
 */
async function takeBack(call: RunnerCall, body: RunnerNextBody): Promise<PresentInstance> {
  const { instance, seq, running: except } = body;
  const present = await presentInstance(call.db, call.actor, body);
  if (present.runs.length > heldBy(present, body).length) {
    await letGoOfRuns(call, { instances: [instance], except, givenBefore: seq ?? null });
    runnerNews(call.context).tell();
  }
  return present;
}

const heldBy = ({ runs }: PresentInstance, { running }: RunnerNextBody) =>
  runs.filter(({ id }) => running.includes(id));

/** A waiting call repeats a lookup that found nothing only after news or after `LOOK_MS`. */
async function takeWork(
  call: RunnerCall,
  { instance, seq, checks, waitMs }: RunnerNextBody,
  { labels, slots, joined }: { labels: string[]; slots: RunSlots; joined: Joined },
): Promise<RunnerWork> {
  if (call.context.config.workerPaused) return NOTHING;
  const { companyId } = call.actor;
  const taker: Taker = { kind: 'runner', labels, companyId };
  const isForChecks =
    call.context.config.pods !== null && companyId === null && labels.length === 0;
  const isNew = (what: Waited) => waitMs === 0 || joined.isNew(what);
  const takesRuns = !isForChecks && slots.hasRoom() && isNew('runs');
  const takesChecks = checks > 0 && isNew('checks');
  const [runs, looks] = await Promise.all([
    takesRuns ? takeRuns(call, { taker, instance, seq, slots, joined }) : [],
    takesChecks ? takeChecks(call, { taker, instance, free: checks, joined }) : [],
  ]);
  return { runs, checks: looks };
}

async function takeChecks(
  { context }: RunnerCall,
  { joined, ...claiming }: { taker: Taker; instance: string; free: number; joined: Joined },
): Promise<CheckAssignment[]> {
  const leftNothing = joined.look('checks');
  const assigned = await assignChecks(context, claiming);
  if (assigned.length === 0) leftNothing();
  return assigned;
}

/** Limits the runs per response, so that the first run does not wait for the last. */
const MOST_RUNS = 8;

async function takeRuns(
  { context }: RunnerCall,
  {
    taker,
    instance,
    seq,
    slots,
    joined,
  }: { taker: Taker; instance: string; seq: number | undefined; slots: RunSlots; joined: Joined },
): Promise<RunAssignment[]> {
  const { agentApiUrl, publicUrl } = context.config;
  const apiUrl = taker.companyId === null ? agentApiUrl : publicUrl;
  const assigned: Promise<RunAssignment | null>[] = [];
  for (let mayBeMore = true; mayBeMore && assigned.length < MOST_RUNS && slots.hasRoom(); ) {
    const leftNothing = joined.look('runs');
    const { token: ticket, hash: ticketHash } = newToken();
    const runner = { taker, instance, seq, ticketHash };
    const claiming = { context, workerId: `runner-${instance}`, slots, runner };
    const taken = await claimNextRun(claiming, null);
    mayBeMore = taken?.mayBeMore ?? false;
    if (!mayBeMore && slots.full().length === 0) leftNothing();
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

async function giveBack({ context }: RunnerCall, { runs, checks }: RunnerWork): Promise<void> {
  await unclaimChecks(
    context,
    checks.map(({ checkId }) => checkId),
  );
  for (const { runId, epoch } of runs) await requeueRun(context, { id: runId, epoch });
}
