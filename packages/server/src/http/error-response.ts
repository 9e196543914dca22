import type { ErrorBody, ErrorCode } from '@switchyard/types';
import { ApiError } from './errors';
import { isPassingFault } from './passing-fault';

export const ERROR_STATUS: Record<ErrorCode, number> = {
  validation_error: 400,
  unauthenticated: 401,
  token_expired: 401,
  invalid_signature: 401,
  forbidden: 403,
  cross_company: 403,
  board_only: 403,
  not_own: 403,
  administrators_only: 403,
  wrong_password: 403,
  password_change_required: 403,
  recent_sign_in_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  checked_out: 409,
  checkout_required: 409,
  status_mismatch: 409,
  confirmation_required: 409,
  not_owner: 409,
  stale_revision: 409,
  stale_ticket: 409,
  unknown_instance: 409,
  runner_replaced: 409,
  not_pending: 409,
  not_invokable: 409,
  not_retryable: 409,
  routine_paused: 409,
  routine_archived: 409,
  trigger_disabled: 409,
  replayed: 409,
  name_taken: 409,
  company_archived: 409,
  company_paused: 409,
  agent_paused: 409,
  agent_terminated: 409,
  storage_full: 409,
  idempotency_conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  malware_found: 422,
  semantic_error: 422,
  invalid_transition: 422,
  unknown_reference: 422,
  cycle: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
};

function refusalFromParser(error: unknown): ApiError | null {
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.too.large') {
    return new ApiError('too_large', `the body must not exceed ${limit} bytes`, {
      limitBytes: limit,
    });
  }
  if (error instanceof URIError) return new ApiError('not_found', 'the path does not exist');
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError('validation_error', 'the request could not be read');
  }
  return null;
}

export function refusalFrom(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = typeof error === 'object' && error !== null ? refusalFromParser(error) : null;
  if (known) return known;
  if (isPassingFault(error)) {
    return new ApiError('unavailable', 'a required service is unavailable; try again', undefined, {
      'Retry-After': '1',
    });
  }
  return new ApiError(
    'internal_error',
    'internal error; the log contains the reason under this requestId',
  );
}

export function errorResponse(error: unknown, requestId: string) {
  const refusal = refusalFrom(error);
  const body: ErrorBody = {
    error: refusal.message,
    code: refusal.code,
    ...(refusal.details !== undefined && { details: refusal.details }),
    requestId,
  };
  return { status: ERROR_STATUS[refusal.code], headers: refusal.headers, body };
}
