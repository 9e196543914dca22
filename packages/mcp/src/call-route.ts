import { ServerResponse } from 'node:http';
import {
  type Pipeline,
  parseBody,
  parseQuery,
  type Reply,
  type Route,
  type RouteCall,
  runRoute,
} from '@switchyard/server';
import type { Request, Response } from 'express';

export interface InnerCall<Extra> {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  idempotencyKey?: string;
  extra?: Partial<Extra>;
}

/**
 * Calls a route for a request to another path, with the route's whole pipeline: authentication,
 * limits, scope and validation.
 * @throws ApiError as the route does
 */
export async function callRoute<Extra>(
  route: Route<Extra>,
  pipeline: Pipeline<Extra>,
  outer: Request,
  inner: InnerCall<Extra>,
): Promise<Reply> {
  const untyped = route as unknown as Route<never>;
  const request = innerRequest(untyped, outer, inner);
  // Uses a separate response, because the route's headers do not belong to the outer answer, and
  // the outer answer may already have started.
  const response = new ServerResponse(outer) as Response;
  const admitted = await pipeline.admit(route, request, response);
  const call = {
    ...admitted,
    ...inner.extra,
    params: request.params as Record<string, string>,
    query: parseQuery(untyped, inner.query ?? {}),
    body: route.method === 'GET' ? undefined : parseBody(untyped, inner.body ?? {}),
    request,
    response,
  } as RouteCall<Extra, unknown, unknown>;
  const prepared = route.prepare && (await route.prepare(call));
  return runRoute(route, pipeline, call, prepared);
}

function innerRequest(
  route: Route<never>,
  outer: Request,
  { params = {}, idempotencyKey }: Pick<InnerCall<unknown>, 'params' | 'idempotencyKey'>,
): Request {
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const { 'idempotency-key': _, ...headers } = outer.headers;
  const own = {
    method: route.method,
    path,
    url: path,
    params: { ...params },
    headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
  };
  const properties = Object.entries(own).map(([name, value]) => [name, { value }]);
  return Object.create(outer, Object.fromEntries(properties));
}
