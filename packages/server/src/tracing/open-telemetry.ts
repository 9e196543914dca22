import type { IncomingMessage } from 'node:http';
import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { core, NodeSDK, tracing as sdkTracing } from '@opentelemetry/sdk-node';
import { withTimeout } from '@switchyard/async';
import { redact } from '../logging/redact';
import type { EndedSpan, SpanDescription, Tracing } from './tracing';

const QUIET_PATHS = ['/livez', '/readyz', '/metrics', '/health', '/api/health'];

const ADDRESS_ATTRIBUTES = ['http.url', 'http.target', 'url.path', 'url.full', 'url.query'];

const KINDS = {
  job: SpanKind.CONSUMER,
  part: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** Database rows store trace contexts in this format, regardless of `OTEL_PROPAGATORS`. */
const inRows = new core.W3CTraceContextPropagator();

const CLOSE_BUDGET_MS = 2_000;

function isQuiet({ url = '' }: IncomingMessage): boolean {
  return QUIET_PATHS.includes(url.split('?', 1)[0] as string);
}

function describeRequest(span: Span, request: unknown): void {
  const known = (span as { attributes?: Record<string, unknown> }).attributes ?? {};
  for (const name of ADDRESS_ATTRIBUTES) {
    if (known[name] !== undefined) span.setAttribute(name, String(redact(known[name])));
  }
  const { route, method } = request as { route?: { path?: unknown }; method?: string };
  if (typeof route?.path !== 'string') return;
  span.updateName(`${method} ${route.path}`);
  span.setAttribute('http.route', route.path);
}

const FAILED = { code: SpanStatusCode.ERROR };

const contextOf = (traceparent: string | null | undefined) =>
  traceparent ? inRows.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter) : ROOT_CONTEXT;

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
    const started = trace.getTracer('switchyard').startSpan(name, options, contextOf(parent));
    if (hasFailed) started.setStatus(FAILED);
    started.end(span.endedAt);
  } finally {
    ownIds = undefined;
  }
}

async function inSpan<T>(described: SpanDescription, work: () => Promise<T>): Promise<T> {
  const { name, kind, parent, attributes = {}, errorType } = described;
  const above = contextOf(parent);
  const from = above === ROOT_CONTEXT ? context.active() : above;
  const options = { kind: KINDS[kind], attributes };
  const span = trace.getTracer('switchyard').startSpan(name, options, from);
  return context.with(trace.setSpan(from, span), async () => {
    try {
      return await work();
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

export function openTelemetry(serviceName: string | undefined, describesAgents: boolean): Tracing {
  const sdk = new NodeSDK({
    idGenerator,
    ...(serviceName && { serviceName }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: isQuiet,
        applyCustomAttributesOnSpan: describeRequest,
      }),
      // Omits statements without a parent span, e.g. those that the sweeps run twice per second.
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  const present = () => trace.getActiveSpan()?.spanContext();
  return {
    describesAgents,
    traceparent: () => {
      const carrier: { traceparent?: string } = {};
      inRows.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier.traceparent ?? null;
    },
    logFields: () => {
      const span = present();
      return span && { traceId: span.traceId, spanId: span.spanId };
    },
    inSpan,
    record,
    close: async () => {
      const sent = sdk.shutdown().catch(() => undefined);
      await withTimeout(sent, CLOSE_BUDGET_MS, () => undefined);
    },
  };
}
