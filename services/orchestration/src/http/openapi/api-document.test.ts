import type { MountedPath } from '@switchyard/server';
import { lintDocument } from '@switchyard/testing';
import express, { type Application } from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { serveDocumented } from '../../../test/documented-answers';
import { startHarness, useHarness } from '../../../test/harness';
import { document as localDocument, lookRoutes, operationsOf } from '../../../test/operations';
import { route } from '../../route';
import { createApplication } from '../app';
import { apiDocument } from './api-document';
import { refusalsOf } from './refusals-of';

interface BodyOf {
  content: Record<string, { example?: unknown }>;
}

interface Answer {
  $ref?: string;
  properties?: object;
  anyOf?: Answer[];
  oneOf?: Answer[];
}

interface Write {
  parameters: { $ref?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Answer }> }>;
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle: { tree?: { routes: { store: MountedPath }[] } };
}

function mountedOn(app: Application): string[] {
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack.flatMap(({ route: mounted, handle: { tree } }) => {
    if (tree) {
      return tree.routes.flatMap(({ store: { path, endpoints } }) =>
        [...endpoints.keys()].map((method) => `${method} ${path}`),
      );
    }
    const methods = Object.keys(mounted?.methods ?? {});
    // Skips handlers for all methods, because they only reject unsupported methods.
    if (methods.length > 1) return [];
    return methods.map((method) => `${method.toUpperCase()} ${mounted?.path}`);
  });
}

const isPart = (name: string) => /^GET \/((api\/docs|login)\/|llms\.txt$)/.test(name);

describe('the OpenAPI document', () => {
  const harness = useHarness();
  const document = localDocument();
  const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);

  it('describes every mounted route and no other route', () => {
    const app = createApplication(harness.context, () => false);
    const mounted = () => mountedOn(app).filter((name) => !isPart(name));
    expect(described.toSorted()).toEqual(mounted().toSorted());
    app.get('/planted', () => undefined);
    expect(described).not.toContain('GET /planted');
    expect(mounted()).toContain('GET /planted');
  });

  it('begins with a first call that a new installation accepts, and links the guide', async () => {
    const { description = '' } = document.info;
    const [, path, body] = /curl .*:3100(\S+) .*-d '(.+)'\n/.exec(description) ?? [];
    await harness.api.post(`${path}`).type('json').send(`${body}`).expect(201);
    expect(description).toContain('](/api/agent-guide)');
  });

  it('equals the document that the service returns', async () => {
    const { body, headers } = await harness.api.get('/api/openapi.json').expect(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('passes the linter, which reports errors that the test inserts', async () => {
    expect(await lintDocument(document)).toEqual([]);
    const planted = structuredClone(document) as { paths: Record<string, { get: object }> };
    planted.paths['/api/goals/{goalId}'] = {
      get: { operationId: 'getIssue', responses: { 200: { $ref: '#/components/responses/none' } } },
    };
    const found = (await lintDocument(planted)).map((line) => line.split(':')[0]);
    expect(found).toEqual(
      expect.arrayContaining([
        'no-unresolved-refs',
        'operation-operationId-unique',
        'operation-summary',
        'path-parameters-defined',
        'security-defined',
      ]),
    );
  });

  it('describes bodies, queries and path parameters with the schemas that parse them', () => {
    const find = (name: string) => operationsOf(document)[described.indexOf(name)];
    expect(find('GET /api/companies/:companyId/issues')?.queries).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
      status: { type: 'array' },
    });
    expect(find('POST /api/companies/:companyId/agents')?.body).toMatchObject({
      required: ['name', 'adapterType'],
      properties: { adapterConfig: { type: 'object' } },
    });
    const { parameters } = document.paths?.['/api/issues/{issueId}/documents/{key}']?.get ?? {};
    expect(parameters?.slice(0, 2)).toMatchObject([
      { name: 'issueId', in: 'path', description: expect.stringContaining('ACM-42') },
      { name: 'key', schema: { pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' } },
    ]);
  });

  it('gives a schema to every field of a body', () => {
    const bodies = operationsOf(document).flatMap(({ body }) => (body ? [body] : []));
    const fields = bodies.flatMap(({ properties, anyOf, oneOf }) => [
      properties,
      ...[...(anyOf ?? []), ...(oneOf ?? [])].map((choice) => choice.properties),
    ]);
    const empty = fields.flatMap((all) =>
      Object.entries(all ?? {}).filter(([, schema]) => Object.keys(schema).length === 0),
    );
    expect(fields.length).toBeGreaterThan(30);
    expect(empty).toEqual([]);
  });

  it('offers Prefer: return=minimal in each write that returns a resource', () => {
    const writes = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      ['post', 'put', 'patch', 'delete'].flatMap((method) => {
        const operation = (item as Record<string, Write>)[method];
        return operation ? [{ name: `${method} ${path}`, ...operation }] : [];
      }),
    );
    const hasId = (schema: Answer): boolean => {
      const named = schema.$ref?.split('/').at(-1) ?? '';
      const known = document.components?.schemas?.[named] as Answer | undefined;
      const { properties = {}, anyOf = [], oneOf = [] } = known ?? schema;
      return 'id' in properties || [...anyOf, ...oneOf].some(hasId);
    };
    const returnsResource = ({ responses }: Write) =>
      Object.entries(responses).some(([status, { content }]) => {
        const schema = content?.['application/json']?.schema;
        return status.startsWith('2') && schema !== undefined && hasId(schema);
      });
    const isShortened = ({ parameters }: Write) =>
      parameters.some(({ $ref = '' }) => $ref.endsWith('/Prefer'));
    const namesOf = (all: { name: string }[]) => all.map(({ name }) => name);
    expect(namesOf(writes.filter(isShortened))).toEqual(namesOf(writes.filter(returnsResource)));
    expect(writes.filter(isShortened).length).toBeGreaterThan(60);
  });

  it('has an example for each body that is safe to send', () => {
    const examples = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      ['post', 'put', 'patch', 'delete'].flatMap((method) => {
        const operation = (item as Record<string, { requestBody?: BodyOf }>)[method];
        const content = operation?.requestBody?.content['application/json'];
        return content ? [{ name: `${method} ${path}`, example: content.example }] : [];
      }),
    );
    expect(examples.length).toBeGreaterThan(40);
    for (const { name, example } of examples) {
      expect({ name, isGiven: example !== undefined }).toEqual({ name, isGiven: true });
      expect(`${name}: ${JSON.stringify(example)}`).not.toMatch(
        /"(string|owner|decisionNote|note|reason|comment)"/,
      );
    }
    const find = (wanted: string) => examples.find(({ name }) => name === wanted)?.example;
    expect(find('post /api/companies/{companyId}/invites')).toEqual({ role: 'viewer' });
    expect(find('post /api/approvals/{approvalId}/approve')).toEqual({});
    expect(find('post /api/companies/{companyId}/issues')).toEqual({ title: '' });
  });

  it('allows calls without a credential only in local mode', () => {
    const securityOf = (isLocal: boolean) =>
      apiDocument(lookRoutes(), isLocal).paths?.['/api/goals/{goalId}']?.get?.security;
    const credentials = [{ session: [] }, { personalToken: [] }, { apiKey: [] }, { runToken: [] }];
    expect(securityOf(false)).toEqual(credentials);
    expect(securityOf(true)).toEqual([...credentials, {}]);
  });

  it('has a page that loads and runs only local files', async () => {
    const page = await harness.api.get('/api/docs').expect(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(page.text).not.toMatch(/<script>|https?:/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
    expect(files).toHaveLength(3);
    for (const file of files) await harness.api.get(file as string).expect(200);
    const start = await harness.api.get('/api/docs/start.js');
    expect(start.text).toContain('"url":"/api/openapi.json"');
    await harness.api.post('/api/docs').expect(405);
  });
});

describe('the OpenAPI document in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  it('can be read without a credential, and so can its page', async () => {
    await harness.api.get('/api/docs').expect(200);
    const { body } = await harness.api.get('/api/openapi.json').expect(200);
    expect(body.paths['/api/goals/{goalId}'].get.security).not.toContainEqual({});
  });
});

const ALONE = { adapterType: 'process', adapterConfig: {} };

describe('the comparison of responses with the OpenAPI document', () => {
  const planted = route({
    method: 'POST',
    path: '/planted/:goalId',
    operation: 'plant',
    summary: 'Plant something',
    access: 'board',
    otherResponses: { 202: null },
    errors: ['cycle'],
    response: z.object({ id: z.string() }),
    handle: () => ({ id: 'x' }),
  });

  const faultOf = async (status: number, body: unknown) => {
    const app = express();
    app.post('/planted/:goalId', (_request, response) => {
      if (body === undefined) response.status(status).end();
      else response.status(status).json(body);
    });
    const { server, faults } = serveDocumented(app, [planted]);
    await supertest(server).post('/planted/1');
    return [...faults].map((fault) => fault.replace(/^POST \/planted\/:goalId: /, ''));
  };
  const refusal = (code: string) => ({ error: 'no', code, requestId: 'x' });

  it('finds no fault in a matching response', async () => {
    expect(await faultOf(201, { id: 'x' })).toEqual([]);
    expect(await faultOf(202, undefined)).toEqual([]);
    expect(await faultOf(422, refusal('cycle'))).toEqual([]);
    expect(await faultOf(403, { ...refusal('board_only'), details: {} })).toEqual([]);
  });

  it('reports an undocumented status, code, field or body', async () => {
    expect(await faultOf(200, { id: 'x' })).toEqual(['the status 200']);
    expect(await faultOf(202, { id: 'x' })).toEqual(['a body']);
    expect(await faultOf(201, { id: 'x', more: 1 })).toEqual(['undeclared fields in a 201']);
    expect((await faultOf(201, { id: 1 }))[0]).toMatch(/^a 201 that does not fit/);
    expect(await faultOf(409, refusal('replayed'))).toEqual(['409 replayed']);
    expect(await faultOf(400, refusal('cycle'))).toEqual(['cycle as 400']);
    expect(await faultOf(422, 'no')).toEqual(['no error body']);
    expect(await faultOf(422, { ...refusal('cycle'), more: 1 })).toEqual([
      'undeclared fields more',
    ]);
  });

  it('allows the errors of the pipeline in addition to the errors of the route', () => {
    expect([...refusalsOf(planted)].toSorted()).toEqual(
      [
        'board_only',
        'company_archived',
        'cross_company',
        'cycle',
        'forbidden',
        'idempotency_conflict',
        'internal_error',
        'not_found',
        'rate_limited',
        'token_expired',
        'too_large',
        'unauthenticated',
        'unavailable',
        'unsupported_media_type',
        'validation_error',
      ].toSorted(),
    );
  });

  it('makes a test file fail if its service sent an undocumented response', async () => {
    const harness = await startHarness();
    const agent = await harness.build.agent();
    await harness.db.agentConfigRevision.updateMany({ data: { after: ALONE } });
    await harness.api.get(`/api/agents/${agent.id}/config-revisions`).expect(200);
    await expect(harness.close()).rejects.toThrow('a 200 that does not fit');
  });

  it('reports a response without a route', async () => {
    const { server, faults } = serveDocumented(express(), []);
    await supertest(server).get('/planted');
    expect([...faults]).toEqual(['GET elsewhere: no error body']);
  });
});
