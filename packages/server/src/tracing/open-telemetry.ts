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
import { core, NodeSDK } from '@opentelemetry/sdk-node';
import { withTimeout } from '@switchyard/async';
import { redact } from '../logging/redact';
import type { SpanDescription, Tracing } from './tracing';

const QUIET_PATHS = ['/livez', '/readyz', '/metrics', '/health', '/api/health'];

const ADDRESS_ATTRIBUTES = ['http.url', 'http.target', 'url.path', 'url.full', 'url.query'];

const KINDS = { job: SpanKind.CONSUMER, part: SpanKind.INTERNAL };

/** Rows use this format regardless of `OTEL_PROPAGATORS`. */
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

async function inSpan<T>(described: SpanDescription, work: () => Promise<T>): Promise<T> {
  const { name, kind, parent, attributes = {} } = described;
  const from = parent
    ? inRows.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter)
    : context.active();
  const options = { kind: KINDS[kind], attributes };
  const span = trace.getTracer('switchyard').startSpan(name, options, from);
  return context.with(trace.setSpan(from, span), async () => {
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(redact(message)) });
      throw error;
    } finally {
      span.end();
    }
  });
}

export function openTelemetry(serviceName: string | undefined): Tracing {
  const sdk = new NodeSDK({
    ...(serviceName && { serviceName }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: isQuiet,
        applyCustomAttributesOnSpan: describeRequest,
      }),
      // Omits statements without a parent span, e.g. those of the sweeps, twice per second.
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  const present = () => trace.getActiveSpan()?.spanContext();
  return {
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
    close: async () => {
      const sent = sdk.shutdown().catch(() => undefined);
      await withTimeout(sent, CLOSE_BUDGET_MS, () => undefined);
    },
  };
}
