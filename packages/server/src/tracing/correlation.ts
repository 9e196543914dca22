import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { tracing } from './tracing';

/** Context of log lines. No decision may depend on it. */
export interface LogContext {
  correlationId: string;
  runId?: string;
  companyId?: string;
  actor?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

export function logContext(): LogContext | undefined {
  return storage.getStore();
}

export function extendLogContext(fields: Omit<Partial<LogContext>, 'correlationId'>): void {
  const present = storage.getStore();
  if (present) Object.assign(present, fields);
}

export interface Origin {
  correlationId: string | null;
  traceContext: string | null;
}

export function presentOrigin(): Origin {
  return {
    correlationId: storage.getStore()?.correlationId ?? null,
    traceContext: tracing().traceparent(),
  };
}

export function correlationIdFrom(header: (name: string) => string | undefined): string {
  for (const name of ['x-correlation-id', 'x-request-id']) {
    const value = header(name);
    if (value && ACCEPTED.test(value)) return value;
  }
  return TRACEPARENT.exec(header('traceparent') ?? '')?.[1] ?? randomUUID();
}
