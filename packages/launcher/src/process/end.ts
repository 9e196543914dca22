import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity, readStat } from '@switchyard/bootstrap/identity';
import { signalGroup } from '@switchyard/bootstrap/run';

interface Options {
  signal?: NodeJS.Signals;
  waitMs?: number;
  now?: AbortSignal;
}

export async function end(
  pid: number | undefined,
  { signal = 'SIGTERM', waitMs = 15_000, now }: Options = {},
): Promise<void> {
  if (!pid || identity(pid) === undefined) return;
  send(pid, signal);
  if (await isGone(pid, waitMs, now)) {
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

/** Lists the descendants before the kill, because the kill detaches them from their parent. */
export function killTree(pid: number): void {
  const table = parents();
  const all = [pid];
  for (const each of all) {
    all.push(...table.filter(([, parent]) => parent === each).map(([child]) => child));
  }
  signalGroup(pid, 'SIGKILL');
  for (const each of all) send(each, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

function parents(): (readonly [pid: number, parent: number | undefined])[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').map(Number).filter(Boolean);
    return pids.map((pid) => [pid, readStat(pid)?.parent] as const);
  }
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = text.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
}
