import { stringify } from 'safe-stable-stringify';
import { logContext } from '../tracing/correlation';
import { tracing } from '../tracing/tracing';
import type { LogOptions } from './logger';
import { redact } from './redact';

export type LogEntry = Record<string, unknown>;

export function describeEntry({ level, message, ...fields }: LogEntry): LogEntry {
  const safe = redact(fields) as LogEntry;
  return { ...safe, ...logContext(), ...tracing().logFields(), level, message: redact(message) };
}

export const formatEntry = (entry: LogEntry, format: LogOptions['format']): string =>
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
