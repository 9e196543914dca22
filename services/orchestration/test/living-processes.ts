import { readdirSync, readFileSync } from 'node:fs';

/**
 * Command lines of living processes whose command line or environment contains `mark`. Used by tests only, and on
 * purpose apart from the code under test. A dead process that is not reaped has neither.
 */
export function listLiving(mark: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return `${command}${environment}`.includes(mark) ? [command.replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });
}
