import {
  ApiError,
  ERROR_STATUS,
  isPassingFault,
  logContext,
  refusalFrom,
} from '@switchyard/server';
import type { Request } from 'express';
import { InvalidRequest } from './invalid-request';

export function presentError(error: unknown, request: Request) {
  if (error instanceof InvalidRequest) return present(422, { detail: error.detail });
  const refusal = refusalFrom(error);
  const status = ERROR_STATUS[refusal.code];
  if (refusal.code === 'method_not_allowed') {
    return present(status, { detail: 'Method Not Allowed' }, refusal.headers);
  }
  if (status === 404 && !request.route) return present(status, { detail: 'Not Found' });
  if (status < 500 || error instanceof ApiError) {
    return present(status, { detail: refusal.message }, refusal.headers);
  }
  const detail = isPassingFault(error) ? 'the database does not respond' : 'Internal Server Error';
  return present(500, { detail, correlation_id: logContext()?.correlationId });
}

const present = (
  status: number,
  body: { detail: unknown; correlation_id?: string },
  headers: Readonly<Record<string, string>> = {},
) => ({ status, headers, body: body as never });
