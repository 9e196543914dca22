import { setTimeout as delay } from 'node:timers/promises';
import { findRunProcesses, type RunProcesses, type RunTrace } from './find-run-processes';

const FIRST_SCAN_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * A process in uninterruptible sleep, or of another user, survives KILL. After this time in ms the
 * run no longer waits for it.
 */
const GIVE_UP_MS = 30_000;

/**
 * Requires two empty scans, because a child that is forked during a scan may be missing from it.
 */
const EMPTY_SCANS = 2;

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {}
}

function signalAll(found: RunProcesses, group: number, signal: NodeJS.Signals, sent: Set<number>) {
  const fresh = found.members.filter((entry) => !sent.has(entry.pid));
  if (found.ownsGroup && fresh.some((entry) => entry.group === group)) send(-group, signal);
  for (const entry of fresh) {
    sent.add(entry.pid);
    if (!found.ownsGroup || entry.group !== group) send(entry.pid, signal);
  }
}

/**
 * Sends TERM to the processes of the run, KILL after `graceMs`, and resolves when all have exited.
 * Never signals a reused pid. `remaining` lists processes that survived KILL for 30 s.
 */
export async function endProcesses(
  request: RunTrace & { graceMs: number },
): Promise<{ remaining: number[] }> {
  const { identity } = request;
  if (identity && !(Number.isInteger(identity.pid) && identity.pid > 1)) {
    throw new Error(`${identity.pid} is not the pid of a child`);
  }
  const group = identity?.pid ?? 0;
  const killAt = performance.now() + request.graceMs;
  const termed = new Set<number>();
  let pause = FIRST_SCAN_MS;
  for (let emptyScans = 0; ; ) {
    const found = await findRunProcesses(request);
    if (found.members.length === 0) {
      if (++emptyScans === EMPTY_SCANS) return { remaining: [] };
      continue;
    }
    emptyScans = 0;
    const now = performance.now();
    if (now >= killAt + GIVE_UP_MS) return { remaining: found.members.map((entry) => entry.pid) };
    if (now < killAt) {
      signalAll(found, group, 'SIGTERM', termed);
      await delay(Math.min(pause, killAt - now));
    } else {
      signalAll(found, group, 'SIGKILL', new Set());
      await delay(pause);
    }
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
