import { readdirSync, readFileSync } from 'node:fs';

export const listLiving = (mark: string): string[] =>
  find(mark).map(({ command }) => command.replaceAll('\0', ' '));

export const listPids = (mark: string): number[] => find(mark).map(({ pid }) => pid);

function find(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return `${command}${environment}`.includes(mark) ? [{ pid: Number(pid), command }] : [];
    } catch {
      return [];
    }
  });
}
