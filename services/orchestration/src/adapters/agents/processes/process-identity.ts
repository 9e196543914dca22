import { runPs } from '@switchyard/sandbox';
import type { ProcessIdentity } from '../agent-adapter';
import { readProc } from './read-proc';

/** The child ended before its start was read; matches no process. */
const UNKNOWN_START = 'unknown';

export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** A zombie: runs no code and cannot be killed. */
  dead: boolean;
  /** Clock ticks since boot. */
  startTicks: number;
}

let bootId: string | undefined;

/** Includes the boot, because ticks count from it. */
export function linuxStart(ticks: number): string {
  bootId ??= readProc('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${bootId}:${ticks}`;
}

/** Returns 0, before every process, for another boot. */
export function startTicksOf(startedAt: string): number {
  if (process.platform !== 'linux') return 0;
  const ticks = Number(startedAt.split(':')[1]);
  return startedAt === linuxStart(ticks) ? ticks : 0;
}

/** proc(5); the name may contain spaces and brackets. */
export function readLinuxStat(pid: number): ProcessStat | null {
  let text: string;
  try {
    text = readProc(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    dead: fields[0] === 'Z' || fields[0] === 'X',
    startTicks: Number(fields[19]),
  };
}

/**
 * Only for comparison. On Linux reads before the first await, so a child just spawned still exists.
 */
export async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = readLinuxStat(pid);
    return stat && linuxStart(stat.startTicks);
  }
  try {
    return (await runPs(['-o', 'lstart=', '-p', String(pid)])).trim() || null;
  } catch {
    return null;
  }
}

export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: (await readStartTime(pid)) ?? UNKNOWN_START };
}
