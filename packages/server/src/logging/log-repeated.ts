import type { Logger } from './logger';

const EVERY_MS = 60_000;
/**
 * In ms. A failure has ended if it was not repeated for this long; longer than the pause of most
 * loops.
 */
const QUIET_MS = 40_000;
const MOST_CAUSES = 200;

interface Outage {
  times: number;
  beganAt: number;
  lastAt: number;
  loggedAt: number;
  timer: NodeJS.Timeout;
}

export interface RepeatTimes {
  everyMs?: number;
  quietMs?: number;
}

const outages = new WeakMap<Logger, Map<string, Outage>>();

/**
 * Logs a recurring failure: the first with all its fields, then the count once per minute, and a
 * last time when it has ended. Counts failures with another message, `cause`, `sweep` or `name`
 * separately.
 */
export function logRepeated(
  logger: Logger,
  level: 'error' | 'warn',
  message: string,
  fields: Record<string, unknown>,
  { everyMs = EVERY_MS, quietMs = QUIET_MS }: RepeatTimes = {},
): void {
  const open = outages.get(logger) ?? new Map<string, Outage>();
  outages.set(logger, open);
  const cause = fields.cause === undefined ? {} : { cause: fields.cause };
  const own = [message, fields.cause, fields.sweep, fields.name].join(': ');
  const key = open.has(own) || open.size < MOST_CAUSES ? own : message;
  const now = performance.now();
  const known = open.get(key);
  if (!known) {
    logger[level](message, fields);
    const timer = setTimeout(() => {
      const ended = open.get(key);
      open.delete(key);
      if (!ended || ended.times === 1) return;
      const ms = Math.round(ended.lastAt - ended.beganAt);
      logger.info(`over: ${message}`, { ...cause, times: ended.times, ms });
    }, quietMs).unref();
    open.set(key, { times: 1, beganAt: now, lastAt: now, loggedAt: now, timer });
    return;
  }
  known.times++;
  known.lastAt = now;
  known.timer.refresh();
  if (now - known.loggedAt < everyMs) return;
  known.loggedAt = now;
  const ms = Math.round(now - known.beganAt);
  logger[level](`still: ${message}`, { ...cause, times: known.times, ms });
}
