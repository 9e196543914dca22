import {
  defaultTextMapGetter,
  INVALID_TRACEID,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { core, NodeSDK, tracing as sdkTracing } from '@opentelemetry/sdk-node';
import { withTimeout } from '@switchyard/async';
import type { Request } from 'express';
import { redact } from '../logging/redact';
import { presentTraceparent, withTraceparent } from './correlation';
import type { EndedSpan, RequestSpan, SpanDescription, Tracing } from './tracing';

const QUIET_PATHS = ['/livez', '/readyz', '/metrics', '/health', '/api/health'];

const METHODS = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|QUERY|TRACE)$/;

const KINDS = {
  job: SpanKind.CONSUMER,
  part: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** Database rows store trace contexts in this format, regardless of `OTEL_PROPAGATORS`. */
const inRows = new core.W3CTraceContextPropagator();

const CLOSE_BUDGET_MS = 2_000;

const FAILED = { code: SpanStatusCode.ERROR };

let tracer: Tracer;

const contextOf = (traceparent: string | null | undefined) =>
  traceparent ? inRows.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter) : ROOT_CONTEXT;

function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceId === INVALID_TRACEID ? undefined : `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** Describes the request only at its end and only if it is sampled, because this runs per request. */
function startRequest(request: Request): RequestSpan | undefined {
  if (QUIET_PATHS.includes(request.path)) return undefined;
  const method = METHODS.test(request.method) ? request.method : '_OTHER';
  const from = propagation.extract(ROOT_CONTEXT, request.headers);
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, from);
  const end = (status: number) => {
    if (!span.isRecording()) return;
    const { path: route } = (request.route ?? {}) as { path?: string };
    if (route !== undefined)
      span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.request.method', method);
    span.setAttribute('http.response.status_code', status);
    span.setAttribute('url.path', String(redact(request.path)));
    span.setAttribute('url.scheme', request.protocol);
    if (status >= 500) span.setAttribute('error.type', String(status)).setStatus(FAILED);
    span.end();
  };
  return { traceparent: traceparentOf(span), end };
}

const random = new sdkTracing.RandomIdGenerator();
let ownIds: { traceId: string; spanId: string } | undefined;

const idGenerator = {
  generateTraceId: () => ownIds?.traceId ?? random.generateTraceId(),
  generateSpanId: () => ownIds?.spanId ?? random.generateSpanId(),
};

function record({ name, kind, traceparent, parent, hasFailed, ...span }: EndedSpan): void {
  const options = { kind: KINDS[kind], attributes: span.attributes, startTime: span.startedAt };
  ownIds = trace.getSpanContext(contextOf(traceparent));
  try {
    const started = tracer.startSpan(name, options, contextOf(parent));
    if (hasFailed) started.setStatus(FAILED);
    started.end(span.endedAt);
  } finally {
    ownIds = undefined;
  }
}

async function inSpan<T>(described: SpanDescription<T>, work: () => Promise<T>): Promise<T> {
  const { name, kind, parent, attributes = {}, describeResult, errorType } = described;
  const above = contextOf(parent);
  const from = above === ROOT_CONTEXT ? contextOf(presentTraceparent()) : above;
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, from);
  return withTraceparent(traceparentOf(span), async () => {
    try {
      const result = await work();
      const more = describeResult?.(result) ?? {};
      span.setAttributes(more);
      if (more['error.type'] !== undefined) span.setStatus(FAILED);
      return result;
    } catch (error) {
      if (errorType) {
        span.setAttribute('error.type', errorType(error)).setStatus(FAILED);
      } else {
        const message = error instanceof Error ? error.message : String(error);
        span.setStatus({ ...FAILED, message: String(redact(message)) });
      }
      throw error;
    } finally {
      span.end();
    }
  });
}

type Settings = NonNullable<ConstructorParameters<typeof NodeSDK>[0]>;

/** The log context holds the current span, because a second context slows every promise down. */
const noContext: NonNullable<Settings['contextManager']> = {
  active: () => ROOT_CONTEXT,
  with: (_context, work, self, ...args) =>
    work.call(self as ThisParameterType<typeof work>, ...args),
  bind: (_context, target) => target,
  enable: () => noContext,
  disable: () => noContext,
};

export function openTelemetry(serviceName: string | undefined, describesAgents: boolean): Tracing {
  const sdk = new NodeSDK({
    idGenerator,
    ...(serviceName && { serviceName }),
    metricReaders: [],
    logRecordProcessors: [],
    contextManager: noContext,
  });
  sdk.start();
  tracer = trace.getTracer('switchyard');
  return {
    describesAgents,
    startRequest,
    inSpan,
    record,
    close: async () => {
      const sent = sdk.shutdown().catch(() => undefined);
      await withTimeout(sent, CLOSE_BUDGET_MS, () => undefined);
    },
  };
}
