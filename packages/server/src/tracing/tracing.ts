/** Attributes of a span; they may name rows but never carry a secret value. */
export interface SpanDescription {
  name: string;
  /** `job` for queued work, `part` for a step within other work. */
  kind: 'job' | 'part';
  /** W3C `traceparent` of the request behind the work; if absent, the span continues the current one. */
  parent?: string | null;
  attributes?: Record<string, string | number>;
}

/** The only module that uses OpenTelemetry. */
export interface Tracing {
  traceparent(): string | null;
  logFields(): { traceId: string; spanId: string } | undefined;
  inSpan<T>(span: SpanDescription, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const NO_TRACING: Tracing = {
  traceparent: () => null,
  logFields: () => undefined,
  inSpan: (_, work) => work(),
  close: () => Promise.resolve(),
};

let installed = NO_TRACING;

/** Installs it for the process, like the hooks into `http` and `pg`. */
export function installTracing(tracing: Tracing): void {
  installed = tracing;
}

/** Does nothing unless an `OTEL_*` variable enables traces. */
export const tracing = (): Tracing => installed;
