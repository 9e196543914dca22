import { stringify } from 'safe-stable-stringify';
import winston from 'winston';
import { logFields } from '../tracing/correlation';
import type { Logger, LogOptions } from './logger';
import { redact } from './redact';

/**
 * Changes the entry in place, because a copy would lose the symbols by which the transports find
 * level and line.
 */
const describe = winston.format((info) => Object.assign(info, describeEntry(info)));

export function createLogger(options: LogOptions): Logger {
  const { format } = winston;
  const line = format.printf((info) => formatEntry(info, options.format));
  const logger = winston.createLogger({
    level: options.level,
    defaultMeta: { process: options.process },
    format: format.combine(format.timestamp(), describe(), line),
    transports: [new winston.transports.Console({ stderrLevels: [] })],
  });
  // Replaces `debug`, because winston formats a line before it checks whether a transport needs it.
  return logger.isDebugEnabled() ? logger : Object.assign(logger, { debug: () => logger });
}

type LogEntry = Record<string, unknown>;

function describeEntry({ level, message, ...fields }: LogEntry): LogEntry {
  const safe = redact(fields) as LogEntry;
  return { ...safe, ...logFields(), level, message: redact(message) };
}

const formatEntry = (entry: LogEntry, format: LogOptions['format']): string =>
  format === 'json' ? stringify(entry) : pretty(entry);

function pretty({ timestamp, level, message, process: _, ...fields }: LogEntry): string {
  const time = String(timestamp).slice(11, 23);
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const rest = entries.map(([key, value]) =>
    key === 'stack'
      ? `\n${value}`
      : ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${time} ${level} ${message}${rest.join('')}`;
}
