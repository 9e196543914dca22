// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns a value that distinguishes a process from a later one with the same pid; undefined if no
 * process has the pid.
 * @param {number} pid
 */
export function identity(pid) {
  if (!pid) return undefined;
  if (process.platform !== 'linux') return startTime(pid);
  const stat = readStat(pid);
  // A process with other threads still runs when its first thread is a zombie.
  if (!stat || (stat.state === 'Z' && stat.threads <= 1)) return undefined;
  return `${bootId()}:${stat.started}`;
}

/** @param {{ pid?: number; started?: string } | undefined} record */
export const isSame = (record) =>
  Boolean(record?.pid && record.started) && identity(record?.pid ?? 0) === record?.started;

/** @param {number} pid */
export function readStat(pid) {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Counts fields from the last closing bracket, because the command name may contain spaces and
 * brackets.
 * @param {string} text
 */
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  return { state, parent: Number(parent), threads: Number(fields[17]), started: fields[19] };
}

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** @param {number} pid */
function startTime(pid) {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}
