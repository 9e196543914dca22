import { runPs } from '@switchyard/sandbox';
import type { ProcessIdentity } from '../agent-adapter';
import { readProc } from './read-proc';

/** Matches no process; used if the child ended before its start time was read. */
const UNKNOWN_START = 'unknown';

export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** True for a zombie, which runs no code and cannot be killed. */
  dead: boolean;
  startTicks: number;
}

let bootId: string | undefined;

/** Includes the boot id, because ticks count from the boot. */
export function linuxStart(ticks: number): string {
  bootId ??= readProc('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${bootId}:${ticks}`;
}

export function startTicksOf(startedAt: string): number {
  if (process.platform !== 'linux') return 0;
  const ticks = Number(startedAt.split(':')[1]);
  return startedAt === linuxStart(ticks) ? ticks : 0;
}

/** Parses proc(5). The name may contain spaces and brackets. */
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
 * Returns a start time, which is only for comparison. On Linux it is read before the first await,
 * while a child that was just spawned still exists.
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
