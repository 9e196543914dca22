import winston from 'winston';
import { logContext } from '../tracing/correlation';
import { tracing } from '../tracing/tracing';
import { redact } from './redact';

export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
}

/** Changed in place: the transports find level and line under symbols that a copy would lose. */
const describe = winston.format((info) => {
  const { level, message, ...fields } = info;
  const safe = redact(fields) as Record<string, unknown>;
  const own = { level, message: redact(message) };
  return Object.assign(info, safe, logContext(), tracing().logFields(), own);
});

const pretty = winston.format.printf(({ timestamp, level, message, process: _, ...fields }) => {
  const time = String(timestamp).slice(11, 23);
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const rest = entries.map(([key, value]) =>
    key === 'stack'
      ? `\n${value}`
      : ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${time} ${level} ${message}${rest.join('')}`;
});

/** JSON lines for machines, one readable line for a person at a terminal. */
export function createLogger(options: {
  process: string;
  level: string;
  format: 'json' | 'pretty';
}): Logger {
  const { format } = winston;
  const output = options.format === 'json' ? format.json() : pretty;
  const logger = winston.createLogger({
    level: options.level,
    defaultMeta: { process: options.process },
    format: format.combine(format.timestamp(), describe(), output),
    transports: [new winston.transports.Console({ stderrLevels: [] })],
  });
  // winston formats a line before it looks whether any transport wants it.
  return logger.isDebugEnabled() ? logger : Object.assign(logger, { debug: () => logger });
}

/** Nothing is written; for tests that look at behaviour alone. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** The fields of a thrown thing that a log line may carry. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { cause: String(error) };
  return { cause: error.message, stack: error.stack };
}
