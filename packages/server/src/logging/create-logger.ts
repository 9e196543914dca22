import winston from 'winston';
import { describeEntry, formatEntry } from './log-line';
import type { Logger, LogOptions } from './logger';

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
