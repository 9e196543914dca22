import {
  ApiError,
  ERROR_STATUS,
  isPassingFault,
  logContext,
  type Pipeline,
  type Route,
  refusalFrom,
  routesFor,
} from '@switchyard/server';
import type { Request } from 'express';
import type { Context } from '../context';
import { InvalidRequest } from '../http/invalid-request';
import { readBody, readQuery } from '../http/read-input';

export interface CallScope {
  context: Context;
}

export type Access = 'public' | 'token';

export type MetricsRoute = Route<CallScope, Access>;
export const route = routesFor<CallScope, Access>();

/** Checks the token before the path, so that unknown paths require it too. */
export function createPipeline(context: Context): Pipeline<CallScope> {
  return {
    check: () => undefined,
    admit: async () => ({ context }),
    run: (_route, call, handle) => handle(call),
    readQuery,
    readBody,
    presentError,
  };
}

function presentError(error: unknown, request: Request) {
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
