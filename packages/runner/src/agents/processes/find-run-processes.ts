import type { ProcessIdentity } from '../agent-adapter';
import type { HostProcess } from './list-processes';
import { startTicksOf } from './process-identity';
import { scanProcesses } from './scan-processes';

export interface RunProcesses {
  ownsGroup: boolean;
  members: HostProcess[];
}

export interface RunTrace {
  runId: string;
  identity: ProcessIdentity | null;
  /**
   * SERVICE_API_KEY of one attempt; without it all attempts of the run match. A worker that resumes
   * late must not end the processes of the next attempt.
   */
  attemptKey?: string;
  isOfClaim?(attemptKey: string): boolean;
  /**
   * True if the caller is still the leader's parent. The group then belongs to the run even if the
   * leader has exited.
   */
  leaderSeen?: boolean;
}

/**
 * Finds the run's process group and session, every process with its SERVICE_RUN_ID, and their
 * descendants. Cannot find a daemon that left the session, cleared its environment and lost its
 * parent.
 */
export async function findRunProcesses(trace: RunTrace): Promise<RunProcesses> {
  const scan = await scanProcesses();
  const all = scan.processes.filter((entry) => entry.pid > 1 && entry.pid !== process.pid);
  const pid = trace.identity?.pid;
  const inGroup = all.filter((entry) => entry.group === pid || entry.session === pid);
  const earliest = trace.identity ? startTicksOf(trace.identity.startedAt) : 0;
  const younger = all.filter((entry) => !entry.dead && entry.startTicks >= earliest);
  const carriers = await scan.findByEnvironment(younger, (text) => carriesRun(trace, text));
  const ownsGroup = isOwnGroup(trace, all, inGroup, carriers);

  const found = new Map<number, HostProcess>();
  if (ownsGroup) for (const entry of inGroup) found.set(entry.pid, entry);
  for (const entry of younger) if (carriers.has(entry.pid)) found.set(entry.pid, entry);
  addDescendants(found, all);
  return { ownsGroup, members: [...found.values()].filter((entry) => !entry.dead) };
}

function carriesRun(trace: RunTrace, environment: string): boolean {
  if (!environment.includes(`\0SERVICE_RUN_ID=${trace.runId}\0`)) return false;
  const [, key] = /\0SERVICE_API_KEY=([^\0]*)\0/.exec(environment) ?? [];
  if (key === undefined) return true;
  if (trace.attemptKey !== undefined) return key === trace.attemptKey;
  return trace.isOfClaim?.(key) ?? true;
}

function isOwnGroup(
  trace: RunTrace,
  all: HostProcess[],
  inGroup: HostProcess[],
  carriers: Set<number>,
) {
  const leader = all.find((entry) => entry.pid === trace.identity?.pid);
  if (leader) return leader.startedAt === trace.identity?.startedAt;
  return trace.leaderSeen === true || inGroup.some((entry) => carriers.has(entry.pid));
}

function addDescendants(found: Map<number, HostProcess>, all: HostProcess[]): void {
  const children = new Map<number, HostProcess[]>();
  for (const entry of all) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const waiting = [...found.keys()];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue;
      found.set(child.pid, child);
      waiting.push(child.pid);
    }
  }
}
