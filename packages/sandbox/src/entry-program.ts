import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export function entryProgram(): string | null {
  if (process.platform !== 'linux') return null;
  const file = resolve(__dirname, `../prebuilt/linux-${process.arch}/switchyard-sandbox-entry`);
  return existsSync(file) ? file : null;
}

export function entryArguments(options: readonly string[], command: readonly string[]): string[] {
  return ['run', '--channel', '3', ...options, '--', ...command];
}

export function limitOptions(limits: {
  processes: number;
  openFiles: number;
  fileBytes: number;
  watchers: number;
}): string[] {
  return [
    ...['--processes', String(limits.processes)],
    ...['--open-files', String(limits.openFiles)],
    ...['--file-bytes', String(limits.fileBytes)],
    ...['--watchers', String(limits.watchers)],
  ];
}

export const groupOptions = (group: string | null): string[] =>
  group === null ? [] : ['--group', group];
