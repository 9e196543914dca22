import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Context of log lines. No decision may depend on it. */
export interface LogContext {
  correlationId: string;
  runId?: string;
  companyId?: string;
  actor?: string;
}

interface Surroundings {
  log?: LogContext;
  /** W3C `traceparent` of the current span. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<Surroundings>();

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

export function withLogContext<T>(
  log: LogContext,
  work: () => T,
  traceparent = storage.getStore()?.traceparent,
): T {
  return storage.run({ log, traceparent }, work);
}

export function withTraceparent<T>(traceparent: string | undefined, work: () => T): T {
  return storage.run({ ...storage.getStore(), traceparent }, work);
}

export function logContext(): LogContext | undefined {
  return storage.getStore()?.log;
}

export function presentTraceparent(): string | null {
  return storage.getStore()?.traceparent ?? null;
}

export function logFields(): Record<string, unknown> {
  const { log, traceparent } = storage.getStore() ?? {};
  const [, traceId, spanId] = traceparent?.split('-') ?? [];
  return { ...log, ...(traceId && { traceId, spanId }) };
}

export function extendLogContext(fields: Omit<Partial<LogContext>, 'correlationId'>): void {
  const present = logContext();
  if (present) Object.assign(present, fields);
}

export interface Origin {
  correlationId: string | null;
  traceContext: string | null;
}

export function presentOrigin(): Origin {
  return {
    correlationId: logContext()?.correlationId ?? null,
    traceContext: presentTraceparent(),
  };
}

export function correlationIdFrom(header: (name: string) => string | undefined): string {
  for (const name of ['x-correlation-id', 'x-request-id']) {
    const value = header(name);
    if (value && ACCEPTED.test(value)) return value;
  }
  return TRACEPARENT.exec(header('traceparent') ?? '')?.[1] ?? randomUUID();
}
