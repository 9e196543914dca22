import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The command name in /proc/<pid>/stat may hold spaces and brackets: fields count from the last bracket. */
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  return { state, parent: Number(parent), threads: Number(fields[17]), started: fields[19] };
}

function readStat(pid) {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function psStart(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Tells a process from a later one that was given the same number; undefined when there is none. */
export function identity(pid) {
  if (process.platform !== 'linux') return psStart(pid) || undefined;
  const stat = readStat(pid);
  // The first thread may be over while the others still hold the ports and files.
  if (!stat || (stat.state === 'Z' && stat.threads <= 1)) return undefined;
  return `${bootId()}:${stat.started}`;
}

export function commandName(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const text = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return text.trim().split('/').at(-1);
  } catch {
    return undefined;
  }
}

export const isSame = (record) =>
  Boolean(record?.pid && record.started) && identity(record.pid) === record.started;

function parents() {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => [Number(pid), readStat(pid)?.parent]);
  }
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
}

/** Without `ps` on Linux: slim images have none. */
export function descendants(pid) {
  const table = parents();
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of table) {
      if (of === parent && !found.includes(child)) found.push(child);
    }
  }
  return found.slice(1);
}
