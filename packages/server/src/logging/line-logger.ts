import { describeEntry, formatEntry } from './log-line';
import type { Logger, LogOptions } from './logger';

const LEVELS = ['error', 'warn', 'info', 'debug'];

/**
 * The logger of a process that is to stay small, as a runner: it writes the lines of `createLogger`, without winston and
 * the 2.5 MB that it takes.
 */
export function createLineLogger({ process: name, level, format }: LogOptions): Logger {
  const writer = (own: string): Logger['info'] => {
    if (LEVELS.indexOf(own) > LEVELS.indexOf(level)) return () => undefined;
    return (message, fields) => {
      const timestamp = new Date().toISOString();
      const entry = describeEntry({ process: name, timestamp, ...fields, level: own, message });
      process.stdout.write(`${formatEntry(entry, format)}\n`);
    };
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
  };
}
