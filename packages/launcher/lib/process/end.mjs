import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, identity } from './table.mjs';

export function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

export async function gone(pid, waitMs, now) {
  const until = performance.now() + waitMs;
  while (identity(pid) !== undefined) {
    if (performance.now() > until || now?.aborted) return false;
    await sleep(25);
  }
  return true;
}

/** The descendants are listed before the kill: afterwards nothing links them to their parent. */
export function killTree(pid) {
  const all = [pid, ...descendants(pid)];
  send(-pid, 'SIGKILL');
  for (const each of all) send(each, 'SIGKILL');
}

/** What a process that has ended left in its group, as the compiler's wrapper leaves the compiler. */
export const sweepGroup = (pid) => send(-pid, 'SIGKILL');

/** Asks, waits, then kills with all descendants; `now` cuts the waiting short. */
export async function end(pid, { signal = 'SIGTERM', waitMs = 15_000, now } = {}) {
  if (identity(pid) === undefined) return;
  send(pid, signal);
  if (await gone(pid, waitMs, now)) {
    sweepGroup(pid);
    return;
  }
  killTree(pid);
  await gone(pid, 5000);
}
