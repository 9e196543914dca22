import type { Run } from './run';

export interface Step {
  name: 'woken' | 'queued' | 'notBefore' | 'started' | 'ended' | 'running' | 'waiting';
  /** Null for what lasts until now. */
  at: string | null;
  /** What the time until the next step was. */
  during?: 'waited' | 'held' | 'ran';
}

/** What happened with a run in the order of time; the last step of a live one is now. */
export function stepsOf(run: Run): Step[] {
  const { createdAt, startedAt, finishedAt } = run;
  const wokenAt = run.wakes[0]?.at;
  const notBefore = run.notBefore;
  const isHeld = notBefore && notBefore > createdAt && (!startedAt || notBefore <= startedAt);
  const steps: Step[] = [];
  if (wokenAt && isBefore(wokenAt, createdAt))
    steps.push({ name: 'woken', at: wokenAt, during: 'waited' });
  steps.push({ name: 'queued', at: createdAt, during: isHeld ? 'held' : 'waited' });
  if (isHeld) steps.push({ name: 'notBefore', at: notBefore, during: 'waited' });
  if (startedAt) steps.push({ name: 'started', at: startedAt, during: 'ran' });
  if (finishedAt) steps.push({ name: 'ended', at: finishedAt });
  else steps.push({ name: startedAt ? 'running' : 'waiting', at: null });
  return steps;
}

/** A wake makes its run at once, so that only a wait that is felt is a step of its own. */
const isBefore = (wokenAt: string, createdAt: string) =>
  Date.parse(createdAt) - Date.parse(wokenAt) > 1_000;
