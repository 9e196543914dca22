import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity, readStat } from '@switchyard/bootstrap/identity';
import { signalGroup } from '@switchyard/bootstrap/run';

interface Options {
  signal?: NodeJS.Signals;
  waitMs?: number;
  /** Cuts the waiting short. */
  now?: AbortSignal;
}

/** Asks, waits, then kills with all descendants. */
export async function end(
  pid: number,
  { signal = 'SIGTERM', waitMs = 15_000, now }: Options = {},
): Promise<void> {
  if (identity(pid) === undefined) return;
  send(pid, signal);
  if (await isGone(pid, waitMs, now)) {
    // What it left in its group, as the compiler's wrapper leaves the compiler.
    signalGroup(pid, 'SIGKILL');
    return;
  }
  killTree(pid);
  await isGone(pid, 5000);
}

async function isGone(pid: number, waitMs: number, now?: AbortSignal): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (identity(pid) !== undefined) {
    if (performance.now() > until || now?.aborted) return false;
    await sleep(25);
  }
  return true;
}

/** The descendants are listed before the kill: afterwards nothing links them to their parent. */
export function killTree(pid: number): void {
  const all = [pid, ...descendants(pid)];
  signalGroup(pid, 'SIGKILL');
  for (const each of all) send(each, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

function descendants(pid: number): number[] {
  const table = parents();
  const found = [pid];
  for (const parent of found) {
    const children = table.filter(([child, of]) => of === parent && !found.includes(child));
    found.push(...children.map(([child]) => child));
  }
  return found.slice(1);
}

/** Pid and parent of every process. Without `ps` on Linux: slim images have none. */
function parents(): [number, number | undefined][] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => [Number(pid), readStat(Number(pid))?.parent]);
  }
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = text.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
}
