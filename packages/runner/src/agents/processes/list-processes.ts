import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runPs } from '@switchyard/sandbox';
import { linuxStart, readLinuxStat } from './process-identity';

export interface HostProcess {
  pid: number;
  parent: number;
  group: number;
  session: number;
  dead: boolean;
  startedAt: string;
  startTicks: number;
}

export function listProcesses(): Promise<HostProcess[]> {
  return process.platform === 'linux' ? listLinux() : listWithPs();
}

export const READS_PER_TURN = 100;

async function listLinux(): Promise<HostProcess[]> {
  const found: HostProcess[] = [];
  let reads = 0;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readLinuxStat(pid);
    if (stat) found.push({ ...stat, startedAt: linuxStart(stat.startTicks) });
    if (++reads % READS_PER_TURN === 0) await nextTurn();
  }
  return found;
}

export async function listWithPs(): Promise<HostProcess[]> {
  const stdout = await runPs(['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (started.length === 0) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      dead: state!.startsWith('Z'),
      startedAt: started.join(' '),
      startTicks: 0,
    };
  });
}
