/** Attributes may name rows but must not contain a secret. */
export interface SpanDescription {
  name: string;
  kind: 'job' | 'part';
  /**
   * W3C `traceparent` of the request that caused the work; if absent, the span continues the
   * current one.
   */
  parent?: string | null;
  attributes?: Record<string, string | number>;
}

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

export function installTracing(tracing: Tracing): void {
  installed = tracing;
}

export const tracing = (): Tracing => installed;
