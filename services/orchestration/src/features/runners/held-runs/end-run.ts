import type { EndRunBody } from '@switchyard/types';
import { type HeldRun, heldRun, staleTicket } from '../../../state/runs/claims/held-runs';
import { type EndedRun, endHeldRun, finishRun, logEnd } from '../../../state/runs/end-run';
import { endOf } from '../../runs/execute/run-end';
import { callerOf, type RunnerCall, ticketOf } from '../runner-call';
import { runnerNews } from '../runner-news';
import { asPartOfRun } from './run-origin';

/**
 * Ends a run as its runner reports; idempotent. A run that ended or was cancelled first keeps that
 * outcome.
 * @throws ApiError 409 `stale_ticket`
 */
export async function endRun(
  call: RunnerCall,
  runId: string,
  { outcome }: EndRunBody,
): Promise<void> {
  const { context, db } = call;
  const ticket = ticketOf(call, runId);
  if (outcome.status !== 'aborted') {
    const end = endOf(outcome, null);
    const ended = await endHeldRun(context, ticket, end);
    if (ended) {
      tellEnded(call, ended, outcome);
      return asPartOfRun(ended, PART, () => logEnd(context, ended, { ...end, ...ended }));
    }
  }
  const run = await heldRun(db, ticket);
  if (run.status !== 'running') return;
  const reason = run.isCancelRequested ? 'cancelled' : null;
  const isEnded = await asPartOfRun(run, PART, () =>
    finishRun(context, run, endOf(outcome, reason)),
  );
  if (isEnded) return tellEnded(call, run, outcome);
  runnerNews(context).free(callerOf(call.actor, run.instance ?? ''));
  if ((await heldRun(db, ticket)).status === 'running') throw staleTicket();
}

const PART = 'heartbeat run ended';

function tellEnded(
  { actor, context }: RunnerCall,
  run: EndedRun | HeldRun,
  { status }: EndRunBody['outcome'],
): void {
  runnerNews(context).free(callerOf(actor, run.instance ?? ''));
  context.metrics.runDuration.observe({ status }, run.ranForMs / 1000);
}
