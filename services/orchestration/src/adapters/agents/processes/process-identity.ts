import { runPs } from '@switchyard/sandbox';
import type { ProcessIdentity } from '../agent-adapter';
import { readProc } from './read-proc';

/** `startedAt` of a child that was gone before it could be read; matches no process. */
const UNKNOWN_START = 'unknown';

export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Ended but not yet reaped: it runs no code and can't be killed. */
  dead: boolean;
  /** Clock ticks since boot. */
  startTicks: number;
}

let bootId: string | undefined;

/** Ticks count from boot, so the same pid and ticks after a reboot are another process. */
export function linuxStart(ticks: number): string {
  bootId ??= readProc('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${bootId}:${ticks}`;
}

/** The ticks of a `startedAt` of this boot; 0, which is before every process, of any other. */
export function startTicksOf(startedAt: string): number {
  if (process.platform !== 'linux') return 0;
  const ticks = Number(startedAt.split(':')[1]);
  return startedAt === linuxStart(ticks) ? ticks : 0;
}

/** One `/proc/<pid>/stat`, or null when the process is gone (proc(5); the name may contain spaces and brackets). */
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
 * When the kernel started `pid`, in a form that is only good for comparing, or null when there is no such process.
 * On Linux the file is read before the first await, so a child just spawned is always still there.
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

/** The identity to store for a child that was spawned in this turn of the event loop. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: (await readStartTime(pid)) ?? UNKNOWN_START };
}
