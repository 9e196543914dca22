/** What a span says of itself; an attribute may name rows but never carries a value that is secret. */
export interface SpanDescription {
  name: string;
  /** `job` for work that a queue handed over, `part` for a step within other work. */
  kind: 'job' | 'part';
  /** W3C `traceparent` of what asked for the work; without one the span continues what runs now. */
  parent?: string | null;
  attributes?: Record<string, string | number>;
}

/** The only way to OpenTelemetry: nothing else of the product imports it. */
export interface Tracing {
  /** W3C `traceparent` of the span that runs now. */
  traceparent(): string | null;
  /** What a log line says of the span that runs now. */
  logFields(): { traceId: string; spanId: string } | undefined;
  inSpan<T>(span: SpanDescription, work: () => Promise<T>): Promise<T>;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

const NO_TRACING: Tracing = {
  traceparent: () => null,
  logFields: () => undefined,
  inSpan: (_, work) => work(),
  close: () => Promise.resolve(),
};

let installed = NO_TRACING;

/** One for the process, as the hooks into `http` and `pg` are. */
export function installTracing(tracing: Tracing): void {
  installed = tracing;
}

/** Does nothing and costs nothing unless an `OTEL_*` variable asked for traces. */
export const tracing = (): Tracing => installed;
