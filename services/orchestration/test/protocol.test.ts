import type { ErrorBody } from '@switchyard/types';
import type { z } from 'zod';
import { isOpen } from '../src/access/rules';
import { foldSearchChanges } from '../src/features/search/fold-search-changes';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import { openAsker, type Question, type Reply } from './ask';
import { everything } from './everything';
import { useHarness } from './harness';
import { SECURITY_TABLE } from './security-table';
import { buildSide, fill, type Side } from './world';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const twoOf = <T>(all: T[], at: number) =>
  [0, 1].map((next) => all[(2 * at + next) % all.length] as T);

const keysOf = (schema: unknown) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});

function usualLimit(path: string): string {
  if (path.endsWith('/search')) return '20';
  return /[-/]runs$/.test(path) ? '50' : '100';
}

describe('the HTTP API', () => {
  const harness = useHarness();
  let routes: readonly OrchestrationRoute[] = [];
  let side: Side;
  let asker: ReturnType<typeof openAsker>;
  let agentKey: string;

  beforeAll(async () => {
    asker = openAsker(harness.url);
    routes = allRoutes;
    side = await buildSide(harness);
    agentKey = await harness.build.apiKey(side.agent.id);
    await asker.ask({
      method: 'GET',
      path: '/api/agents/me',
      headers: { authorization: agentKey },
    });
    // A time in the future: the use of a key is written once per minute, and must not be written
    // during a test.
    const lastUsedAt = new Date(Date.now() + 86_400_000);
    await harness.db.agentKey.updateMany({ data: { lastUsedAt } });
    await foldSearchChanges(harness.context);
  });
  afterAll(() => asker.close());

  const ask = (route: OrchestrationRoute, question: Partial<Question> & { search?: string }) => {
    const { search = '', ...rest } = question;
    const headers: Question['headers'] = { ...rest.headers };
    if (route.access === 'agent') headers.authorization = agentKey;
    if (route.access === 'runner') headers.authorization = `Bearer ${side.runnerToken}`;
    const path = fill(route.path, side.ids) + search;
    return asker.ask({ method: route.method, path, ...rest, headers });
  };
  const named = (route: OrchestrationRoute) => `${route.method} ${route.path}`;
  const errorOf = (reply: Reply) => reply.body as ErrorBody & { details: { path: unknown[] }[] };

  const expectError = (route: OrchestrationRoute, reply: Reply, status: number, code: string) => {
    const body = errorOf(reply);
    const what = { route: named(route), status: reply.status, code: body.code };
    expect(what).toEqual({ route: named(route), status, code });
    expect(body.error).toEqual(expect.any(String));
    expect(body.requestId).toBe(reply.headers['x-correlation-id']);
    expect(Object.keys(body).filter((key) => key !== 'details')).toEqual([
      'error',
      'code',
      'requestId',
    ]);
  };

  const forEach = async (
    which: (route: OrchestrationRoute) => boolean,
    check: (route: OrchestrationRoute, at: number) => Promise<void>,
  ) => {
    const before = await everything(harness);
    const chosen = routes.filter(which);
    expect(chosen.length).toBeGreaterThan(0);
    for (const [at, route] of chosen.entries()) await check(route, at);
    expect(await everything(harness)).toEqual(before);
  };
  const readsJson = (route: OrchestrationRoute) =>
    route.method !== 'GET' && !route.rawBody && !route.read;
  const isPaged = (route: OrchestrationRoute) => keysOf(route.query).includes('cursor');

  it.each([
    '/nothing',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/companies/x/y/z',
    '/%',
    '/api/%E0%A4%A',
    '/api/companies/%E0%A4%A',
  ])('returns a JSON 404 for the unknown path %s, whatever the method', async (path) => {
    for (const method of METHODS) {
      const reply = await asker.ask({ method, path });
      expect({ path, method, status: reply.status, code: errorOf(reply).code }).toEqual({
        path,
        method,
        status: 404,
        code: 'not_found',
      });
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('returns a JSON 404 for methods other than GET on the paths of the console', async () => {
    for (const method of METHODS.filter((one) => one !== 'GET')) {
      for (const path of ['/', '/ACM', '/ACM/issues']) {
        const reply = await asker.ask({ method, path });
        const { code } = errorOf(reply);
        expect({ method, path, status: reply.status, code }).toEqual({
          method,
          path,
          status: 404,
          code: 'not_found',
        });
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    }
  });

  it('returns 405 with Allow for a method that the path does not support', async () => {
    for (const path of new Set(routes.map((route) => route.path))) {
      const allowed = routes.filter((route) => route.path === path).map((route) => route.method);
      for (const method of METHODS.filter((one) => !(allowed as string[]).includes(one))) {
        const reply = await asker.ask({ method, path: fill(path, side.ids) });
        const { status, headers } = reply;
        const allow = String(headers.allow).split(', ').sort();
        const wanted = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
        expect({ path, method, status, allow }).toEqual({
          path,
          method,
          status: 405,
          allow: [...wanted].sort(),
        });
        expect(errorOf(reply)).toMatchObject({ code: 'method_not_allowed' });
      }
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    await forEach(
      (route) => route.method === 'GET' && !route.streams && route.access !== 'runner',
      async (route) => {
        const reply = await ask(route, { method: 'HEAD' });
        const status = SECURITY_TABLE[named(route)]?.status ?? 200;
        expect({ route: named(route), status: reply.status }).toMatchObject({ status });
        expect(reply.body).toBe('');
      },
    );
  });

  it('returns 400 for malformed JSON', async () => {
    await forEach(readsJson, async (route, at) => {
      for (const body of twoOf(['{"name":', '{', '"\\u12"', '{} {}', "{'a':1}", '{"a":1,}'], at)) {
        expectError(route, await ask(route, { body }), 400, 'validation_error');
      }
    });
  });

  it('returns 400 for a number that would lose digits, and the error names the path of the number', async () => {
    await forEach(readsJson, async (route) => {
      const reply = await ask(route, { body: '{"a":[{"b":9007199254740993}]}' });
      expectError(route, reply, 400, 'validation_error');
      expect(errorOf(reply).details).toMatchObject([
        { path: ['a', 0, 'b'], code: 'inexact_number' },
      ]);
    });
  });

  it('returns 415 for an unsupported media type, and lists the supported types', async () => {
    const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x'];
    await forEach(readsJson, async (route, at) => {
      for (const type of twoOf(types, at)) {
        const headers = { 'content-type': type };
        const reply = await ask(route, { body: '{}', headers });
        expectError(route, reply, 415, 'unsupported_media_type');
        expect(errorOf(reply).details).toEqual({ allowed: ['application/json'] });
      }
      const headers = { 'content-encoding': 'compress' };
      const encoded = await ask(route, { body: '{}', headers });
      expectError(route, encoded, 415, 'unsupported_media_type');
    });
  });

  it('returns 413 for a body beyond the limit, and the error names the limit', async () => {
    await forEach(readsJson, async (route) => {
      const limitBytes = route.bodyLimit ?? 2 * 1024 * 1024;
      const body = JSON.stringify({ x: 'x'.repeat(limitBytes) });
      const reply = await ask(route, { body });
      expectError(route, reply, 413, 'too_large');
      expect(errorOf(reply).details).toEqual({ limitBytes });
    });
  });

  it('returns 400 for an unknown field, and the error names the field', async () => {
    await forEach(readsJson, async (route) => {
      const row = SECURITY_TABLE[named(route)];
      const body = { ...row?.body?.(side.ids), runId: side.ids.runId, constructor: 1 };
      const reply = await ask(route, { body });
      expectError(route, reply, 400, 'validation_error');
      const accepted = keysOf(route.body);
      const paths = errorOf(reply).details.map((problem) => problem.path[0]);
      for (const field of ['runId', 'constructor']) {
        if (!accepted.includes(field)) expect(paths).toContain(field);
      }
    });
  });

  it('returns 400 for a body that is not an object', async () => {
    await forEach(readsJson, async (route, at) => {
      for (const body of twoOf(['[]', 'null', '5', '"text"', 'true', '[[[[]]]]'], at)) {
        expectError(route, await ask(route, { body }), 400, 'validation_error');
      }
    });
  });

  it('returns 400 for an unknown or repeated query parameter, and the error names the parameter', async () => {
    const empty = (route: OrchestrationRoute) => !route.rawBody;
    await forEach(empty, async (route) => {
      const [first] = keysOf(route.query);
      const searches = ['?nothing=1', '?__proto__=1', '?nothing=1&nothing=2'];
      if (first) searches.push(`?${first}=1&${first}=2`);
      for (const search of searches) {
        const reply = await ask(route, { search });
        expectError(route, reply, 400, 'validation_error');
        expect(search).toContain(`?${errorOf(reply).details[0]?.path[0]}=`);
      }
    });
  });

  it('returns the correlation id in every response, and as requestId in every error', async () => {
    await forEach(
      (route) => route.method === 'GET' && !route.streams && route.access !== 'runner',
      async (route) => {
        const headers = { 'x-correlation-id': 'from.the-caller_1' };
        expect((await ask(route, { headers })).headers['x-correlation-id']).toBe(
          'from.the-caller_1',
        );
        const other = await ask(route, { headers: { 'x-request-id': 'request-7' } });
        expect(other.headers['x-correlation-id']).toBe('request-7');
      },
    );
    for (const route of routes) {
      const headers = { 'x-correlation-id': 'c-1', authorization: 'Bearer garbage' };
      const reply = await asker.ask({
        method: route.method,
        path: fill(route.path, side.ids),
        headers,
      });
      if (isOpen(route.access)) continue;
      expect({ route: named(route), ...errorOf(reply) }).toMatchObject({ requestId: 'c-1' });
    }
    for (const bad of ['with space', 'x'.repeat(129), 'ü', '"', '<b>']) {
      const header = Buffer.from(bad).toString('latin1');
      const reply = await asker.ask({
        method: 'GET',
        path: '/api/nothing',
        headers: { 'x-correlation-id': header },
      });
      expect(errorOf(reply).requestId).toMatch(UUID);
    }
  });

  it('returns lists in pages with X-Limit and X-Next-Cursor, and rejects invalid limits and cursors', async () => {
    const limits = ['0', '501', 'abc', '-1', '1.5', '', '1e2', '0x10', '99999999999999999'];
    const cursors = ['x', 'W10', 'bnVsbA', '%00', 'x'.repeat(501)];
    await forEach(isPaged, async (route, at) => {
      const reply = await ask(route, { search: '?limit=1' });
      expect({ route: named(route), status: reply.status }).toMatchObject({ status: 200 });
      expect(reply.headers['x-limit']).toBe('1');
      const usual = await ask(route, {});
      expect(usual.headers['x-limit']).toBe(usualLimit(route.path));
      if ((usual.body as unknown[]).length > 1) {
        const cursor = String(reply.headers['x-next-cursor']);
        const next = await ask(route, { search: `?limit=1&cursor=${cursor}` });
        expect((next.body as unknown[])[0]).toEqual((usual.body as unknown[])[1]);
      } else expect(reply.headers['x-next-cursor']).toBeUndefined();
      for (const limit of twoOf(limits, at)) {
        const refused = await ask(route, { search: `?limit=${limit}` });
        expectError(route, refused, 400, 'validation_error');
        expect(errorOf(refused).details[0]?.path).toEqual(['limit']);
      }
      for (const cursor of twoOf(cursors, at)) {
        const refused = await ask(route, { search: `?cursor=${cursor}` });
        expectError(route, refused, 400, 'validation_error');
        expect(errorOf(refused).details[0]?.path).toEqual(['cursor']);
      }
    });
  });

  it('sends security headers, and no header that reveals the software', async () => {
    const { headers } = await asker.ask({ method: 'GET', path: '/api/companies' });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});
