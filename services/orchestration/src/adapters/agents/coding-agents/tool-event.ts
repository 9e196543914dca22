import type { CountedUse, TokenCounts } from '../agent-adapter';

export type FailureKind =
  | 'not_signed_in'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'model_unknown'
  | 'provider_unavailable'
  | 'session_unknown'
  /** Ended without a result, or with a result that shows no work. */
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
  /** Null if the tool reports no cost. */
  dollars: number | null;
}

export type ToolEvent =
  | { kind: 'say'; text: string }
  | { kind: 'session'; id: string }
  /** In addition to what was reported before. */
  | { kind: 'used'; use: ModelUse }
  /** Replaces what was reported before. */
  | { kind: 'total'; uses: ModelUse[]; counted?: CountedUse }
  /** The tool retries by itself; if nothing else follows for long, it is ended for this reason. */
  | { kind: 'waiting'; failure: ToolFailure }
  /** A retry cannot succeed, so the tool is ended at once. */
  | { kind: 'refused'; failure: ToolFailure }
  | { kind: 'failed'; failure: ToolFailure }
  /** With `mayGoOn` more work of the same process may follow. */
  | { kind: 'finished'; summary: string | null; mayGoOn?: boolean }
  | { kind: 'working' };
