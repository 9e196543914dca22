import type { ErrorCode } from '@switchyard/types';
import type { Request } from 'express';
import { Counter, type Registry } from 'prom-client';
import { addressOf } from '../guards/address-of';
import type { Logger } from '../logging/logger';
import { logContext } from '../tracing/correlation';
import { ERROR_STATUS } from './error-response';

/** Statuses of denied access (OWASP ASVS 5.0, 16.3.2 and 16.3.3). */
const STATUSES = [401, 403, 429];

const LINES_PER_CALLER = 10;
const LINES_PER_WINDOW = 100;

export type RecordRefusal = (request: Request, code: ErrorCode) => void;

interface Caller {
  fields: { actor: string; address: string };
  logged: number;
  leftOut: number;
}

/**
 * Logs denied requests, limited per time window, so that a flood cannot fill the disk. Omits paths,
 * because some contain a credential, e.g. an invite's token.
 */
export function openRefusalLog(options: {
  logger: Logger;
  registry: Registry;
  prefix: string;
  afterWindow?: (end: () => void) => void;
}): RecordRefusal {
  const { logger, registry, prefix, afterWindow = afterMinute } = options;
  const counter = new Counter({
    name: `${prefix}_http_refusals_total`,
    help: 'Number of requests refused with 401, 403 or 429.',
    labelNames: ['code'],
    registers: [registry],
  });
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  for (const code of codes.filter(isRefusal)) counter.inc({ code }, 0);

  const callers = new Map<string, Caller>();
  let total = 0;
  let ofOthers = 0;
  const endWindow = () => {
    const message = 'refused requests were omitted from the log';
    for (const { fields, leftOut } of callers.values()) {
      if (leftOut > 0) logger.info(message, { ...fields, count: leftOut });
    }
    if (ofOthers > 0) logger.info(message, { actor: 'others', count: ofOthers });
    callers.clear();
    total = 0;
    ofOthers = 0;
  };
  const callerOf = (request: Request): Caller | null => {
    const fields = { actor: logContext()?.actor ?? 'anonymous', address: addressOf(request) };
    const key = `${fields.actor} ${fields.address}`;
    const known = callers.get(key);
    if (known || total >= LINES_PER_WINDOW) return known ?? null;
    const caller = { fields, logged: 0, leftOut: 0 };
    callers.set(key, caller);
    return caller;
  };
  return (request, code) => {
    if (!isRefusal(code)) return;
    counter.inc({ code });
    if (total === 0) afterWindow(endWindow);
    const caller = callerOf(request);
    if (!caller) ofOthers++;
    else if (caller.logged >= LINES_PER_CALLER || total >= LINES_PER_WINDOW) caller.leftOut++;
    else {
      caller.logged++;
      total++;
      const { method } = request;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'other';
      const status = ERROR_STATUS[code];
      logger.info('request refused', { status, code, method, route, ...caller.fields });
    }
  };
}

const afterMinute = (end: () => void) => void setTimeout(end, 60_000).unref();

const isRefusal = (code: ErrorCode) => STATUSES.includes(ERROR_STATUS[code]);
