import { ERROR_STATUS, isPassingFault, logContext, refusalFrom } from '@switchyard/server';
import { InvalidRequest, RequestFailure } from './failures';

const TEXTS: Record<number, string> = {
  404: 'Not Found',
  405: 'Method Not Allowed',
};

/** Errors as `{ detail }`, the shape of the metrics interface (design, section 2). */
export function presentError(error: unknown) {
  const answer = (status: number, detail: unknown, headers: Record<string, string> = {}) => ({
    status,
    headers,
    body: { detail } as never,
  });
  if (error instanceof InvalidRequest) return answer(422, error.detail);
  if (error instanceof RequestFailure) return answer(error.status, error.detail);
  const refusal = refusalFrom(error);
  const status = ERROR_STATUS[refusal.code];
  if (status < 500) return answer(status, TEXTS[status] ?? refusal.message, { ...refusal.headers });
  const detail = isPassingFault(error) ? 'the storage does not answer' : 'Internal Server Error';
  const body = { detail, correlation_id: logContext()?.correlationId };
  return { status: 500, headers: {}, body: body as never };
}
