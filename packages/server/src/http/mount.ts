import type { Application, NextFunction, Request, Response } from 'express';
import createRouter from 'find-my-way';
import { z } from 'zod';
import { logRepeated } from '../logging/log-repeated';
import { errorFields, type Logger } from '../logging/logger';
import { minimalBody, prefersMinimal } from '../preferences/minimal-body';
import {
  correlationIdFrom,
  type LogContext,
  logContext,
  withLogContext,
} from '../tracing/correlation';
import { tracing } from '../tracing/tracing';
import { ERROR_STATUS, errorResponse, refusalFrom } from './error-response';
import { ApiError, invalid, invalidField, invalidQuery, notFound, parse } from './errors';
import { INEXACT_NUMBER, inexactNumber } from './exact-json';
import { hasBody } from './lingering-close';
import { isExhausted } from './passing-fault';
import { check, knownNames } from './problems';
import { readText } from './read-body';
import type { RecordRefusal } from './refusals';
import { Reply, type Route, type RouteCall } from './route';
import { TextBody } from './text-body';

export interface Pipeline<Extra> {
  check(route: Route<Extra>): void;
  admit(route: Route<Extra>, request: Request, response: Response): Promise<Extra>;
  run(
    route: Route<Extra>,
    call: RouteCall<Extra, unknown, unknown>,
    handle: (call: RouteCall<Extra, unknown, unknown>) => Promise<Reply>,
  ): Promise<Reply>;
  readQuery?(route: Route<never>, request: Request): unknown;
  readBody?(route: Route<never>, request: Request): Promise<unknown>;
  presentError?(error: unknown, request: Request): ReturnType<typeof errorResponse>;
}

export const JSON_BODY_LIMIT = 2 * 1024 * 1024;

const NOTHING = z.strictObject({});

/**
 * Reads the body only after the caller is admitted, so that unauthenticated callers cannot use up
 * memory.
 */
async function readBody(route: Route<never>, request: Request) {
  if (route.method === 'GET') return undefined;
  if (route.rawBody) return request.body;
  if (!hasBody(request)) return parseBody(route, {});
  if (!request.is('application/json')) {
    throw new ApiError(
      'unsupported_media_type',
      'the body must be JSON: send the header "Content-Type: application/json"',
      {
        allowed: ['application/json'],
      },
    );
  }
  return parseBody(route, parseJson(await readText(request, route.bodyLimit ?? JSON_BODY_LIMIT)));
}

export const parseBody = (route: Route<never>, body: unknown): unknown =>
  parse(route.body ?? NOTHING, body, 'body');

function parseJson(text: string): unknown {
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(
      'validation_error',
      'the body must be valid JSON: names and strings in double quotes, without a trailing comma',
      [{ path: [], message: 'malformed JSON', code: 'invalid_json' }],
    );
  }
  const path = inexactNumber(text, value);
  if (path) throw invalid([{ path: shown(path), message: INEXACT_NUMBER, code: 'inexact_number' }]);
  return value;
}

const shown = (path: (string | number)[]) =>
  path.slice(0, 50).map((part) => (typeof part === 'string' ? part.slice(0, 100) : part));

/**
 * Checks the raw query, because the parser replaces what it cannot decode.
 * @throws ApiError 400
 */
function assertUtf8Query({ url }: Request): void {
  const at = url.indexOf('?');
  if (at < 0) return;
  const query = url.slice(at + 1);
  try {
    for (const [octets] of query.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(octets);
  } catch {
    const message = 'the query must be valid percent-encoded UTF-8';
    throw invalid([{ path: [], message, code: 'invalid_utf8' }]);
  }
}

function readQuery(route: Route<never>, request: Request): unknown {
  for (const [key, value] of Object.entries(request.query)) {
    if (typeof value !== 'string') throw invalidField(key, 'must not be repeated');
  }
  return parseQuery(route, { ...request.query });
}

export function parseQuery(route: Route<never>, query: unknown): unknown {
  const schema = route.query ?? NOTHING;
  const checked = check(schema, query);
  if ('data' in checked) return checked.data;
  throw invalidQuery(checked.problems, knownNames(schema));
}

function send(route: Route<never>, request: Request, response: Response, reply: Reply): void {
  for (const [name, value] of Object.entries(reply.options.headers ?? {})) {
    response.setHeader(name, value);
  }
  response.status(reply.options.status ?? route.status);
  // Express would send 304 for `If-None-Match: *`, but these responses have no ETag.
  delete request.headers['if-none-match'];
  if (reply.body === undefined) response.end();
  else if (reply.body instanceof TextBody) {
    response.setHeader('Content-Type', reply.body.type);
    response.send(reply.body.text);
  } else response.json(shortened(request, response, reply.body));
}

function shortened(request: Request, response: Response, body: unknown): unknown {
  const minimal = prefersMinimal(request) ? minimalBody(body) : null;
  if (minimal !== null) response.setHeader('Preference-Applied', 'return=minimal');
  return minimal ?? body;
}

function endpoint<Extra>(route: Route<Extra>, pipeline: Pipeline<Extra>) {
  const untyped = route as unknown as Route<never>;
  return async (request: Request, response: Response): Promise<void> => {
    const extra = await pipeline.admit(route, request, response);
    assertUtf8Query(request);
    const query = (pipeline.readQuery ?? readQuery)(untyped, request);
    const params = request.params as Record<string, string>;
    // Reuses one object and creates no promises for absent parts, because every request runs this
    // code.
    const unread = { params, query, body: undefined, request, response };
    const call = Object.assign(extra as Extra & object, unread) as RouteCall<
      Extra,
      unknown,
      unknown
    >;
    const received = route.read && (await route.read({ ...call, body: undefined }));
    const readOwn = pipeline.readBody ?? readBody;
    call.body = received ?? (await readOwn(untyped, request));
    const prepared = route.prepare && (await route.prepare(call));
    const answering = runRoute(route, pipeline, call, prepared);
    const answer = await (received ? answering.finally(() => received.discard()) : answering);
    if (!route.streams) send(untyped, request, response, answer);
  };
}

export function runRoute<Extra>(
  route: Route<Extra>,
  pipeline: Pipeline<Extra>,
  call: RouteCall<Extra, unknown, unknown>,
  prepared: unknown,
): Promise<Reply> {
  return pipeline.run(route, call, async (inner) => {
    const result = await route.handle(inner, prepared);
    return result instanceof Reply ? result : new Reply(result);
  });
}

export function requestLog(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const correlationId = correlationIdFrom((name) => request.get(name));
    const started = performance.now();
    response.setHeader('X-Correlation-ID', correlationId);
    const context: LogContext = { correlationId };
    const span = tracing().startRequest(request);
    response.on('close', () => {
      const fields = {
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: Math.round(performance.now() - started),
      };
      span?.end(response.statusCode);
      const log = () => {
        if (response.statusCode === 503) logRepeated(logger, 'error', 'request failed', fields);
        else if (response.statusCode >= 500) logger.error('request failed', fields);
        else logger.debug('request', fields);
      };
      withLogContext(context, log, span?.traceparent);
    });
    withLogContext(context, next, span?.traceparent);
  };
}

export function finishApplication<Extra>(
  app: Application,
  logger: Logger,
  parts: { recordRefusal?: RecordRefusal; presentError?: Pipeline<Extra>['presentError'] } = {},
): void {
  const { recordRefusal, presentError } = parts;
  app.use(() => {
    throw notFound('path');
  });
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    const requestId = logContext()?.correlationId ?? String(response.getHeader('X-Correlation-ID'));
    const answer = presentError?.(error, request) ?? errorResponse(error, requestId);
    logFailure(logger, error, answer.status);
    if (response.headersSent) return next(error);
    recordRefusal?.(request, refusalFrom(error).code);
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.status(answer.status).json(answer.body);
  });
}

export function logFailure(
  logger: Logger,
  error: unknown,
  status = ERROR_STATUS[refusalFrom(error).code],
): void {
  if (isExhausted(error)) {
    logRepeated(logger, 'error', 'a disk or the memory is full', errorFields(error));
  } else if (status === 503) {
    logRepeated(logger, 'error', 'requests fail with 503', errorFields(error));
  } else if (status === 500 && !(error instanceof ApiError)) {
    logger.error('unexpected error', errorFields(error));
  }
}

export interface MountedPath {
  path: string;
  endpoints: Map<string, ReturnType<typeof endpoint>>;
  allow: string;
}

/**
 * Mounts a route table. A known path with another method returns 405 with `Allow`. Fixed words take
 * precedence over parameters, so the table's order does not matter.
 * @throws Error for a duplicate route
 */
export function mount<Extra>(
  app: Application,
  routes: readonly Route<Extra>[],
  pipeline: Pipeline<Extra>,
): (path: string) => boolean {
  const tree = createRouter({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  for (const mounted of pathsOf(routes, pipeline)) {
    tree.on('GET', mounted.path, () => undefined, mounted);
  }
  const dispatch = (request: Request, response: Response, next: NextFunction) => {
    const found = tree.find('GET', request.path);
    if (!found || Object.values(found.params).includes('')) return next();
    const { path, endpoints, allow } = found.store as MountedPath;
    const serve = endpoints.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (!serve) {
      const what = `${request.method} is not allowed here; allowed: ${allow}`;
      throw new ApiError('method_not_allowed', what, { allow }, { Allow: allow });
    }
    request.params = found.params as Record<string, string>;
    request.route = { path };
    return serve(request, response);
  };
  app.use(Object.assign(dispatch, { tree }));
  return (path) => tree.find('GET', path) !== null;
}

function pathsOf<Extra>(
  routes: readonly Route<Extra>[],
  pipeline: Pipeline<Extra>,
): Iterable<MountedPath> {
  const paths = new Map<string, MountedPath>();
  for (const route of routes) {
    const { method, path } = route;
    const known = paths.get(path) ?? { path, endpoints: new Map(), allow: '' };
    if (known.endpoints.has(method)) throw new Error(`${method} ${path} is mounted twice`);
    pipeline.check(route);
    known.endpoints.set(method, endpoint(route, pipeline));
    const methods = [...known.endpoints.keys()];
    known.allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
    paths.set(path, known);
  }
  return paths.values();
}
