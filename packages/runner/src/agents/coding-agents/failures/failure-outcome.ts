import type { AdapterOutcome } from '../../agent-adapter';
import type { FailureKind, ToolFailure } from '../tool-event';

/**
 * `transient` failures are retried after a delay. `until` failures are retried when the limit ends,
 * if the end is known. `permanent` failures need a person.
 */
const TOOL_FAILURES: Record<
  FailureKind,
  { errorCode: string; retry: 'transient' | 'until' | 'permanent' }
> = {
  not_signed_in: { errorCode: 'not_signed_in', retry: 'permanent' },
  quota_exhausted: { errorCode: 'quota_exhausted', retry: 'until' },
  rate_limited: { errorCode: 'rate_limited', retry: 'transient' },
  model_unknown: { errorCode: 'model_unknown', retry: 'permanent' },
  provider_unavailable: { errorCode: 'provider_unavailable', retry: 'transient' },
  session_unknown: { errorCode: 'session_unknown', retry: 'permanent' },
  no_result: { errorCode: 'no_result', retry: 'permanent' },
  other: { errorCode: 'adapter_exit', retry: 'permanent' },
};

export function failureOutcome(
  { kind, message, until }: ToolFailure,
  exitCode: number | null,
  now: Date,
): AdapterOutcome {
  const { errorCode, retry } = TOOL_FAILURES[kind];
  const error = until ? `${message} (until ${until.toISOString()})` : message;
  const failed = { status: 'failed', exitCode, errorCode, error } as const;
  if (retry === 'permanent' || (retry === 'until' && !until))
    return { ...failed, transient: false };
  if (!until) return { ...failed, transient: true };
  return { ...failed, transient: true, retryAfterMs: Math.max(0, until.getTime() - now.getTime()) };
}
