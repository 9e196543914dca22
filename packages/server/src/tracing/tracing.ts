import type { Request } from 'express';

/** Attributes may name rows but must not contain a secret. */
export interface SpanDescription<T> {
  name: string;
  kind: 'job' | 'part' | 'server' | 'client';
  /**
   * W3C `traceparent` of the request that caused the work; if absent, the span continues the
   * current one.
   */
  parent?: string | null;
  attributes?: SpanAttributes;
  /** Returns more attributes. With `error.type`, the span counts as failed. */
  describeResult?: (result: T) => SpanAttributes;
  /** Returns the span's `error.type`. If set, the span omits the message of a failure. */
  errorType?: (error: unknown) => string;
}

type SpanAttributes = Record<string, string | number>;

export interface EndedSpan {
  name: string;
  kind: 'part' | 'client';
  /** W3C `traceparent` of this span; required if agents receive its ids before the span ends. */
  traceparent?: string;
  /** W3C `traceparent` of the parent span; null for a root span. */
  parent: string | null;
  startedAt: Date;
  endedAt: Date;
  attributes: SpanAttributes;
  hasFailed: boolean;
}

export interface RequestSpan {
  readonly traceparent: string | undefined;
  end(status: number): void;
}

export interface Tracing {
  readonly describesAgents: boolean;
  startRequest(request: Request): RequestSpan | undefined;
  inSpan<T>(span: SpanDescription<T>, work: () => Promise<T>): Promise<T>;
  record(span: EndedSpan): void;
  close(): Promise<void>;
}

const NO_TRACING: Tracing = {
  describesAgents: false,
  startRequest: () => undefined,
  inSpan: (_, work) => work(),
  record: () => undefined,
  close: () => Promise.resolve(),
};

let installed = NO_TRACING;

export function installTracing(tracing: Tracing): void {
  installed = tracing;
}

export const tracing = (): Tracing => installed;
