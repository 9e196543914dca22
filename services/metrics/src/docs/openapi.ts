import {
  buildDocument,
  ERROR_STATUS,
  mountDocsFiles,
  type OpenApiDocument,
  type Operation,
  PROBE_OPERATIONS,
  sendDocsPage,
  VERSION,
} from '@switchyard/server';
import type { Application } from 'express';
import { z } from 'zod';
import type { MetricsRoute } from '../routes/route';

const entry = z.object({
  type: z.string(),
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  input: z.unknown(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
const validationError = z.object({ detail: z.array(entry) });
const refusal = z.object({ detail: z.string() });
const failure = z.object({ detail: z.string(), correlation_id: z.string().optional() });

const ERRORS: Record<number, { description: string; schema: z.ZodType }> = {
  400: { description: 'The request cannot be read', schema: refusal },
  401: { description: 'METRICS_TOKEN is set and the request does not contain it', schema: refusal },
  403: { description: 'The Host or the origin of the request is not allowed', schema: refusal },
  404: { description: 'Not found', schema: refusal },
  409: { description: 'Conflict with the current state', schema: refusal },
  413: { description: 'The body is too large', schema: refusal },
  415: { description: 'The encoding of the body is not supported', schema: refusal },
  422: { description: 'Validation error', schema: validationError },
  429: { description: 'Too many wrong tokens', schema: refusal },
  500: { description: 'Internal error', schema: failure },
  503: { description: 'The exchange does not respond', schema: refusal },
};

const CORRELATION = { 'X-Correlation-ID': { $ref: '#/components/headers/CorrelationId' } };

const COMPONENTS = {
  parameters: {
    CorrelationId: {
      name: 'X-Correlation-ID',
      in: 'header' as const,
      description: 'Returned in the response and written to every log line.',
      schema: { type: 'string' as const },
    },
  },
  headers: {
    CorrelationId: {
      description: 'The id of this request in the logs.',
      schema: { type: 'string' as const },
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'METRICS_TOKEN, if it is set.',
    },
    basic: {
      type: 'http' as const,
      scheme: 'basic',
      description: 'Any user name with METRICS_TOKEN as the password, for browsers.',
    },
  },
  schemas: { ValidationError: validationError, ApiError: refusal, Failure: failure },
};

const TAGS = [
  { name: 'Metrics', description: 'Collections and their data.' },
  { name: 'Health', description: 'For operators.' },
];

export function openApiDocument(routes: readonly MetricsRoute[]): OpenApiDocument {
  const info = {
    title: 'Metrics collection service',
    version: VERSION,
    description: `Snapshots of an account, its markets, grids and regimes.

Error responses are \`{ detail }\`: a list of invalid fields for 422, otherwise a sentence. A known path answers
other methods with 405 and \`Allow\`; every GET path accepts HEAD. Clients use localhost, an IP address
or a name in METRICS_ALLOWED_HOSTS; browsers may only write from the service's pages. If METRICS_TOKEN is set,
every path except health and the probes requires it.`,
  };
  const operations = [...routes.map(operationOf), ...PROBE_OPERATIONS];
  return buildDocument({ info, tags: TAGS, components: COMPONENTS }, operations);
}

function operationOf(route: MetricsRoute): Operation {
  const { method, path, operation, summary, query, body } = route;
  return {
    method,
    path,
    operationId: operation,
    summary,
    tags: ['Metrics'],
    security: route.access === 'public' ? FREE : GUARDED,
    parameters: [...parametersOf(route), { $ref: '#/components/parameters/CorrelationId' }],
    query,
    ...(body && {
      requestBody: { required: !body.safeParse({}).success, content: json(body) },
    }),
    responses: responsesOf(route),
  };
}

const FREE: NonNullable<Operation['security']> = [];
const GUARDED: NonNullable<Operation['security']> = [{}, { bearer: [] }, { basic: [] }];

const PARAMETERS: Record<string, string> = { grid_id: 'Id of the grid.' };

function parametersOf({ path }: MetricsRoute): NonNullable<Operation['parameters']> {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PARAMETERS[name],
    schema: { type: 'string' },
  }));
}

function responsesOf(route: MetricsRoute): Operation['responses'] {
  const responses = Object.entries(schemasOf(route)).map(([status, schema]) => {
    const description = ERRORS[Number(status)]?.description ?? 'OK';
    const main = typeof schema === 'string' ? text(schema) : json(schema);
    const isSuccess = Number(status) < 300;
    const other = isSuccess && route.alternative ? text(route.alternative) : {};
    const own = isSuccess ? headersOf(route) : {};
    const headers = { ...CORRELATION, ...own };
    return [status, { description, headers, content: { ...main, ...other } }];
  });
  return Object.fromEntries(responses);
}

export function schemasOf(route: MetricsRoute): Record<number, z.ZodType | string> {
  const own: Record<number, z.ZodType | null> = { ...route.otherResponses };
  const success = route.streams ?? route.response ?? z.unknown();
  const schemas: Record<number, z.ZodType | string> = { [route.status]: success };
  for (const status of errorsOf(route)) {
    const { schema } = ERRORS[status] as (typeof ERRORS)[number];
    schemas[status] = own[status] ? z.union([own[status], schema]) : schema;
  }
  return schemas;
}

function errorsOf({ access, query, body, errors = [] }: MetricsRoute): number[] {
  return [
    ...errors.map((code) => ERROR_STATUS[code]),
    ...(access === 'public' ? [] : [401, 429]),
    403,
    ...(query || body ? [422] : []),
    ...(body ? [400, 413, 415] : []),
    500,
  ];
}

function headersOf({ responseHeaders = {} }: MetricsRoute) {
  const headers = Object.entries(responseHeaders).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' as const } },
  ]);
  return Object.fromEntries(headers);
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const text = (type: string) => ({ [type]: { schema: { type: 'string' as const } } });

const PAGE = {
  title: 'Metrics service API',
  path: '/docs',
  documentPath: '/openapi.json',
};

export function mountDocs(app: Application, routes: readonly MetricsRoute[]): void {
  let document: OpenApiDocument | undefined;
  app.get(PAGE.documentPath, (_request, response) => {
    document ??= openApiDocument(routes);
    response.json(document);
  });
  app.get(PAGE.path, (_request, response) => sendDocsPage(PAGE, response));
  mountDocsFiles(app, PAGE);
}
