import type { CountedUse, TokenCounts } from '../agent-adapter';

/** Why a tool could not do its work; `TOOL_FAILURES` says what that means for the run. */
export type FailureKind =
  | 'not_signed_in'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'model_unknown'
  | 'provider_unavailable'
  | 'session_unknown'
  /** It ended without a result, or its result shows no work. */
  | 'no_result'
  | 'other';

export interface ToolFailure {
  kind: FailureKind;
  message: string;
  /** When it passes, where the tool told. */
  until?: Date;
}

export interface ModelUse {
  model: string;
  counts: TokenCounts;
  /** What the tool says it cost; null when it says nothing. */
  dollars: number | null;
}

/** What one line of a tool's output means, whichever tool it is. */
export type ToolEvent =
  /** For the run's log, in words. */
  | { kind: 'say'; text: string }
  | { kind: 'session'; id: string }
  /** Use that comes to what was told before. */
  | { kind: 'used'; use: ModelUse }
  /** Use of the whole process, in place of what was told before; `counted` as in a usage report. */
  | { kind: 'total'; uses: ModelUse[]; counted?: CountedUse }
  /** The tool tries again by itself; when it says nothing else for long, this is why it is ended. */
  | { kind: 'waiting'; failure: ToolFailure }
  /** The tool would try again in vain, so it is ended at once. */
  | { kind: 'refused'; failure: ToolFailure }
  /** The last one told is why the tool ended. */
  | { kind: 'failed'; failure: ToolFailure }
  /** The tool reported its result; with `mayGoOn` more work of the same process may follow. */
  | { kind: 'finished'; summary: string | null; mayGoOn?: boolean }
  /** The tool works on, also after a result. */
  | { kind: 'working' };
