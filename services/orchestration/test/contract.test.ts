import { isDeepStrictEqual } from 'node:util';
import { ERROR_STATUS, type OpenApiDocument } from '@switchyard/server';
import type { ErrorBody } from '@switchyard/types';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type ZodType, z } from 'zod';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import { openAsker, type Question, type Reply } from './ask';
import { everything } from './everything';
import { useHarness } from './harness';
import { multipart } from './multipart';
import { document } from './operations';
import { expectRecords, READING, recordsOf } from './records';
import { type RouteRow, SECURITY_TABLE } from './security-table';
import {
  FURTHER_ENDPOINTS,
  SPECIFIED_ENDPOINTS,
  type SpecifiedEndpoint,
} from './specified-endpoints';
import { buildSide, fill, type Side } from './world';

const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;

const UNPAGED = new Set([
  'GET /api/adapters',
  'GET /api/companies/:companyId/org',
  'GET /api/companies/:companyId/adapters/:adapterType/models',
]);

/**
 * Routes that ignore Idempotency-Key: repeating them either changes nothing, or is meant to take
 * effect again.
 */
const UNKEYED = new Set(allRoutes.filter(({ idempotent }) => idempotent === false).map(nameOf));

function fits(schema: ZodType, body: unknown): boolean {
  const parsed = schema.safeParse(body);
  return parsed.success && isDeepStrictEqual(parsed.data, body);
}

function differencesOf(endpoints: SpecifiedEndpoint[], mounted: Set<string>) {
  return {
    missing: endpoints.filter((one) => one.built && !mounted.has(nameOf(one))).map(nameOf),
    builtButMarkedUnbuilt: endpoints
      .filter((one) => !one.built && mounted.has(nameOf(one)))
      .map(nameOf),
  };
}

describe('the API contract', () => {
  const harness = useHarness();
  let routes = new Map<string, OrchestrationRoute>();
  let asker: ReturnType<typeof openAsker>;
  let reader: Side;
  let writer: Side;
  const describedFault = openDescribedAnswers(document());

  beforeAll(async () => {
    reader = await buildSide(harness);
    writer = await buildSide(harness);
    asker = openAsker(harness.url);
    routes = new Map(allRoutes.map((route) => [nameOf(route), route]));
  });
  afterAll(() => asker.close());

  const questionOf = (route: OrchestrationRoute, row: RouteRow, { ids }: Side): Question => ({
    method: route.method,
    path: fill(route.path, ids),
    ...(row.file ? multipart(row.file) : { body: row.body?.(ids) }),
  });

  const changes = (route: OrchestrationRoute, row: RouteRow) =>
    route.method !== 'GET' && (row.status ?? route.status) < 400;

  /**
   * Writes that do not affect other rows share one company; each other write gets a separate
   * company.
   */
  const sideOf = async (route: OrchestrationRoute, row: RouteRow): Promise<Side> => {
    if (!changes(route, row)) return reader;
    const isApart = row.prepare || row.ownCompany || route.method === 'DELETE';
    return isApart ? await buildSide(harness) : writer;
  };

  const arrange = async (name: string, row: RouteRow) => {
    const route = routes.get(name);
    if (!route) throw new Error(`${name} is not mounted`);
    const side = await sideOf(route, row);
    await row.prepare?.(harness, side.ids);
    const question = questionOf(route, row, side);
    if (route.access !== 'agent') return { route, side, question };
    const authorization = await harness.build.apiKey(side.agent.id);
    return { route, side, question: { ...question, headers: { authorization } } };
  };

  it('matches the mounted routes: each endpoint marked as built, and no others', () => {
    const mounted = new Set(routes.keys());
    expect(differencesOf(SPECIFIED_ENDPOINTS, mounted)).toEqual({
      missing: [],
      builtButMarkedUnbuilt: [],
    });
    expect(differencesOf(FURTHER_ENDPOINTS, mounted)).toEqual({
      missing: [],
      builtButMarkedUnbuilt: [],
    });
    const known = new Set([...SPECIFIED_ENDPOINTS, ...FURTHER_ENDPOINTS].map(nameOf));
    expect([...mounted].filter((name) => !known.has(name))).toEqual([]);
  });

  it('returns 404 for every endpoint that is not built', async () => {
    const paths = SPECIFIED_ENDPOINTS.filter((one) => !one.built).map((one) => one.path);
    const built = new Set([...routes.values()].map((route) => route.path));
    const { ids } = reader;
    for (const path of paths.filter((one) => !built.has(one))) {
      const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ids.issueId);
      expect(await asker.ask({ method: 'GET', path: asked })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  it('declares a response for every route, and paging for every list except those in UNPAGED', () => {
    for (const [name, route] of routes) {
      const answersNothing = route.status === 204 || route.streams !== undefined;
      expect({ name, declared: route.response !== undefined || answersNothing }).toEqual({
        name,
        declared: true,
      });
      const paged = 'cursor' in ((route.query as z.ZodObject | undefined)?.shape ?? {});
      const isList = route.method === 'GET' && route.response instanceof z.ZodArray;
      expect({ name, paged }).toEqual({ name, paged: isList && !UNPAGED.has(name) });
    }
  });

  const expectOnce = async (keyed: Question, first: Reply, row: RouteRow, ids: Side['ids']) => {
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const before = await everything(harness);
    const second = await asker.ask(keyed);
    expect(second).toMatchObject({ status: first.status, body: first.body });
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await everything(harness)).toEqual(before);
    if (!row.body && !row.file) return;
    const other = row.file
      ? multipart({ ...row.file, content: `${row.file.content} ` }).body
      : { ...row.body?.(ids), ...row.change };
    const third = await asker.ask({ ...keyed, body: other });
    expect(third).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(await everything(harness)).toEqual(before);
  };

  it.each(Object.entries(SECURITY_TABLE))('matches the response of %s', async (name, row) => {
    const { route, side, question } = await arrange(name, row);
    const isKeyed = route.method === 'POST' && !UNKEYED.has(name);
    const once = isKeyed ? { 'idempotency-key': route.operation } : {};
    const asked = { ...question, headers: { ...question.headers, ...once } };
    const recorded = await recordsOf(harness);
    const first = await asker.ask(asked);
    const { status, body, headers } = first;
    expect({ status, body }).toMatchObject({ status: row.status ?? route.status });
    const isJson = String(headers['content-type']).startsWith('application/json');
    if (isJson) expect(describedFault(route.method, route.path, status, body)).toBeNull();
    if (status === 204) expect(body).toBe('');
    else if (status >= 400) expect(ERROR_STATUS[(body as ErrorBody).code]).toBe(status);
    else if (!route.streams) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(route.response?.safeParse(body)).toEqual({ success: true, data: body });
      expect(fits(route.response as ZodType, body)).toBe(true);
      if (Array.isArray(body) && !row.empty) expect(body).not.toHaveLength(0);
    }
    const reads = route.method === 'GET' || READING.includes(`${route.method} ${route.path}`);
    const records = await recorded();
    expect(records).toHaveLength(reads || status >= 400 ? 0 : (row.records ?? 1));
    if (records.length > 0) expectRecords(records, body);
    if (isKeyed && status < 400) await expectOnce(asked, first, row, side.ids);
  });

  it('describes responses so precisely that a third-party validator accepts only correct responses', () => {
    const fault = (status: number, body: unknown) =>
      describedFault('GET', '/api/issues/:issueId/comments', status, body);
    const refusal = { error: 'no', code: 'not_found', requestId: 'x' };
    expect([fault(200, []), fault(404, refusal)]).toEqual([null, null]);
    expect(fault(200, [{ id: 'x' }])).toContain('must have required property');
    expect(fault(404, { ...refusal, code: 'cycle' })).toContain('must be equal to one of');
    expect(fault(404, { ...refusal, more: 1 })).toContain('additional properties');
    expect(fault(402, refusal)).toBe('no 402');
  });

  it('detects a response with an undeclared, missing or invalid field', () => {
    const schema = z.array(z.object({ id: z.string(), inner: z.object({ at: z.int() }) }));
    expect(fits(schema, [{ id: 'x', inner: { at: 1 } }])).toBe(true);
    expect(fits(schema, [{ id: 'x', inner: { at: 1 }, more: 1 }])).toBe(false);
    expect(fits(schema, [{ id: 'x', inner: { at: 1, more: 1 } }])).toBe(false);
    expect(fits(schema, [{ id: 'x', inner: {} }])).toBe(false);
    const planted = { method: 'GET', path: '/api/things/{thingId}', built: true };
    expect(differencesOf([planted], new Set()).missing).toEqual(['GET /api/things/:thingId']);
    const unmarked = differencesOf([{ ...planted, built: false }], new Set([nameOf(planted)]));
    expect(unmarked.builtButMarkedUnbuilt).toEqual(['GET /api/things/:thingId']);
  });
});

const inPointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Validates responses only against the published document, as a client of another project would.
 * Returns null, or the faults of `body`.
 */
function openDescribedAnswers(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document as object, 'api');
  return (method: string, path: string, status: number, body: unknown): string | null => {
    const template = path.replace(/:(\w+)/g, '{$1}');
    const item = document.paths?.[template] as Record<string, { responses?: object }> | undefined;
    const responses = item?.[method.toLowerCase()]?.responses as Record<string, { $ref?: string }>;
    const answer = responses?.[status];
    if (!answer) return `no ${status}`;
    const at =
      answer.$ref ?? `#/paths/${inPointer(template)}/${method.toLowerCase()}/responses/${status}`;
    const validate = ajv.getSchema(encodeURI(`api${at}/content/application~1json/schema`));
    if (!validate) return `a ${status} without a body`;
    return validate(body) ? null : ajv.errorsText(validate.errors);
  };
}
