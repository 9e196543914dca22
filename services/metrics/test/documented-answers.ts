import type { RequestListener } from 'node:http';
import { watchAnswers } from '@switchyard/testing';
import { schemasOf } from '../src/docs/openapi';
import type { MetricsRoute } from '../src/routes/route';

const OUTSIDE = new Set([401, 403, 404, 405, 429]);

export function serveDocumented(app: RequestListener, routes: readonly MetricsRoute[]) {
  const table = routes.map((one) => ({
    method: one.method,
    path: new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`),
    schemas: schemasOf(one),
  }));
  return watchAnswers(app, ({ method, path, status, body, isHead }) => {
    const row = table.find((one) => one.method === method && one.path.test(path ?? ''));
    const documented = row?.schemas;
    if (!documented) {
      return status < 400 || path === '/readyz' || OUTSIDE.has(status) ? null : `a ${status}`;
    }
    if (!(status in documented)) return `the status ${status}`;
    const schema = documented[status];
    if (isHead || body === undefined || typeof schema === 'string') return null;
    const parsed = schema?.safeParse(body);
    return parsed?.success ? null : `a ${status} that does not fit: ${parsed?.error.message}`;
  });
}
