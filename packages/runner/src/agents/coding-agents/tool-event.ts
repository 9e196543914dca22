import type { CountedUse, TokenCounts } from '../agent-adapter';

export type FailureKind =
  | 'not_signed_in'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'model_unknown'
  | 'provider_unavailable'
  | 'session_unknown'
  | 'no_result'
  | 'other';

export interface ToolFailure {
  kind: FailureKind;
  message: string;
  until?: Date;
}

export interface ModelUse {
  model: string;
  counts: TokenCounts;
  dollars: number | null;
}

export type ToolEvent =
  | { kind: 'log'; text: string }
  | { kind: 'session'; id: string }
  | { kind: 'used'; use: ModelUse }
  | { kind: 'total'; uses: ModelUse[]; counted?: CountedUse }
  /**
   * The tool retries by itself. If no other event follows for a long time, the tool is ended with
   * this failure.
   */
  | { kind: 'waiting'; failure: ToolFailure }
  | { kind: 'refused'; failure: ToolFailure }
  | { kind: 'failed'; failure: ToolFailure }
  | { kind: 'finished'; summary: string | null; mayContinue?: boolean }
  | { kind: 'working' };
