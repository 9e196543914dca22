import { z } from 'zod';
import { VERSION } from '../health/health';
import type { Endpoint } from '../http/endpoint';

const VALIDATION_ERROR = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'loc', 'msg', 'input'],
        properties: {
          type: { type: 'string' },
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          input: {},
          ctx: { type: 'object' },
        },
      },
    },
  },
};

type JsonSchema = { properties?: Record<string, unknown>; required?: string[] };

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

const json = (schema: unknown) => ({ 'application/json': { schema } });

function parametersOf(query: z.ZodType | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function answerOf(answer: z.ZodType | string) {
  if (typeof answer !== 'string') {
    return { description: 'OK', content: json(schemaOf(answer, 'output')) };
  }
  const isType = answer.includes('/');
  return {
    description: answer,
    ...(isType && { content: { [answer]: { schema: { type: 'string' } } } }),
  };
}

function operation({ summary, query, body, bodyOptional, answers }: Endpoint) {
  const own = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]);
  const refused = { description: 'Validation error', content: json(VALIDATION_ERROR) };
  return {
    summary,
    ...(query && { parameters: parametersOf(query) }),
    ...(body && {
      requestBody: { required: !bodyOptional, content: json(schemaOf(body, 'input')) },
    }),
    responses: { ...Object.fromEntries(own), ...((query || body) && { 422: refused }) },
  };
}

/** The OpenAPI 3.1 document of the endpoints that are mounted. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {};
    (paths[endpoint.path] as Record<string, unknown>)[endpoint.method.toLowerCase()] =
      operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Metrics collection service',
      version: VERSION,
      description: 'Snapshots of an account, its markets, grids and regimes.',
    },
    paths,
  };
}
