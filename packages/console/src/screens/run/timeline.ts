import type { Run } from './run';

export interface Step {
  name: 'woken' | 'queued' | 'notBefore' | 'started' | 'ended' | 'running' | 'waiting';
  at: string | null;
  during?: 'waited' | 'held' | 'ran';
}

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

const isBefore = (wokenAt: string, createdAt: string) =>
  Date.parse(createdAt) - Date.parse(wokenAt) > 1_000;
