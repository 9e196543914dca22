/** A code says what happened; the server package maps it to a status. */
export const ERROR_CODES = [
  'validation_error',
  'unauthenticated',
  'token_expired',
  'invalid_signature',
  'forbidden',
  'cross_company',
  'board_only',
  'not_own',
  'administrators_only',
  'wrong_password',
  'password_change_required',
  'recent_sign_in_required',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'conflict',
  'checked_out',
  'checkout_required',
  'status_mismatch',
  'confirmation_required',
  'not_owner',
  'stale_revision',
  'stale_ticket',
  'unknown_instance',
  'runner_replaced',
  'not_pending',
  'not_invokable',
  'not_retryable',
  'routine_paused',
  'routine_archived',
  'trigger_disabled',
  'replayed',
  'name_taken',
  'company_archived',
  'company_paused',
  'agent_paused',
  'agent_terminated',
  'storage_full',
  'idempotency_conflict',
  'too_large',
  'unsupported_media_type',
  'range_not_satisfiable',
  'expectation_failed',
  'malware_found',
  'semantic_error',
  'invalid_transition',
  'unknown_reference',
  'cycle',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorBody {
  error: string;
  code: ErrorCode;
  details?: unknown;
  requestId: string;
}
