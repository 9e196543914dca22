import type { RequestListener } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { MCP_PATH } from '@switchyard/mcp';
import { ERROR_STATUS } from '@switchyard/server';
import { type SeenAnswer, watchAnswers } from '@switchyard/testing';
import type { ErrorBody } from '@switchyard/types';
import { refusalsOf } from '../src/http/openapi/refusals-of';
import type { OrchestrationRoute } from '../src/route';

const OUTSIDE = new Set(['not_found', 'method_not_allowed', 'forbidden']);

/** A 503 of these paths is a result, not an error. */
const PROBES = new Set(['/readyz', '/api/health']);

function refusalFault(route: OrchestrationRoute | undefined, { status, body }: SeenAnswer) {
  const { error, code, requestId, details: _, ...more } = Object(body) as ErrorBody;
  if (typeof error !== 'string' || typeof requestId !== 'string') return 'no error body';
  if (Object.keys(more).length > 0) return `undeclared fields ${Object.keys(more)}`;
  if (ERROR_STATUS[code] !== status) return `${code} as ${status}`;
  const known = route ? refusalsOf(route) : OUTSIDE;
  return known.has(code) ? null : `${status} ${code}`;
}

function successFault(route: OrchestrationRoute, { status, body, isHead }: SeenAnswer) {
  const others = route.otherResponses ?? {};
  if (status !== route.status && !(status in others)) return `the status ${status}`;
  if (route.streams || isHead) return null;
  const answer = status === route.status ? route.response : others[status];
  if (!answer) return body === undefined ? null : 'a body';
  const parsed = answer.safeParse(body);
  if (!parsed.success) return `a ${status} that does not fit: ${parsed.error.message}`;
  // Parsing removes undeclared fields, so a body with such fields differs from its parsed form.
  return isDeepStrictEqual(parsed.data, body) ? null : `undeclared fields in a ${status}`;
}

/**
 * Compares responses with their routes. The OpenAPI document is generated from the same `answer`,
 * `others` and `refusalsOf`.
 */
export function documentFaults(routes: readonly OrchestrationRoute[]) {
  const table = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return (seen: SeenAnswer): string | null => {
    const route = table.get(`${seen.method} ${seen.path}`);
    if (route && seen.status < 400) return successFault(route, seen);
    // Skips errors of MCP and of the provider logout, because clients of the API do not read them.
    if (seen.path === MCP_PATH || seen.path === '/sign-in/logout') return null;
    const isOther = !route && (seen.status < 400 || PROBES.has(seen.path ?? ''));
    return seen.isHead || seen.isPage || isOther ? null : refusalFault(route, seen);
  };
}

export const serveDocumented = (app: RequestListener, routes: readonly OrchestrationRoute[]) =>
  watchAnswers(app, documentFaults(routes));
