import type { Operation } from '@switchyard/server';
import { z } from 'zod';
import { describeParameter } from '../../access/owners';
import { type Access, isOpen } from '../../access/rules';
import type { OrchestrationRoute } from '../../route';
import { refusals } from './refusals';
import { parametersOf, refusalsOf } from './refusals-of';
import { safeExample } from './safe-example';

type Parameters = NonNullable<Operation['parameters']>;
type Security = NonNullable<Operation['security']>;

const SESSION: Security = [{ session: [] }];
const PERSON: Security = [...SESSION, { personalToken: [] }];
const AGENT: Security = [{ apiKey: [] }, { runToken: [] }];

const SECURITY: Record<Access, Security> = {
  public: [],
  webhook: [],
  runner: [{ runnerToken: [] }],
  agent: AGENT,
  board: PERSON,
  owner: PERSON,
  'agent-or-board': [...PERSON, ...AGENT],
};

const referenceTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

function pathParameter(name: string): Parameters[number] {
  const { noun, alias, pattern } = describeParameter(name);
  const isWord = pattern !== undefined || name === 'publicId';
  const schema = {
    type: 'string' as const,
    ...(pattern && { pattern: pattern.source }),
    ...(!isWord && !alias && { format: 'uuid' }),
  };
  const description = alias ? `The ${noun}: its id, or its identifier (ACM-42).` : `The ${noun}.`;
  return { name, in: 'path', required: true, description, schema };
}

const isKeyed = ({ method, idempotent }: OrchestrationRoute) =>
  method === 'POST' && idempotent !== false;

const answersResource = ({ method, response }: OrchestrationRoute) =>
  method !== 'GET' && hasId(response);

function hasId(schema: unknown): boolean {
  if (schema instanceof z.ZodObject) return 'id' in schema.shape;
  return schema instanceof z.ZodUnion && schema.options.some(hasId);
}

function parametersFor(route: OrchestrationRoute): Parameters {
  const own = Object.entries(route.headers ?? {});
  return [
    ...parametersOf(route.path).map(pathParameter),
    ...own.map(([name, description]) => ({
      name,
      in: 'header' as const,
      description,
      schema: { type: 'string' as const },
    })),
    ...(isKeyed(route) ? [referenceTo('parameters', 'IdempotencyKey')] : []),
    ...(answersResource(route) ? [referenceTo('parameters', 'Prefer')] : []),
    ...(isOpen(route.access) ? [] : [referenceTo('parameters', 'RunId')]),
    referenceTo('parameters', 'CorrelationId'),
  ];
}

const FILE = {
  type: 'object' as const,
  required: ['file'],
  properties: { file: { type: 'string' as const, format: 'binary' } },
};

function bodyOf(route: OrchestrationRoute): Operation['requestBody'] {
  if (route.read) return { required: true, content: { 'multipart/form-data': { schema: FILE } } };
  if (route.rawBody) {
    const description = typeof route.rawBody === 'string' ? { description: route.rawBody } : {};
    return { ...description, content: { '*/*': { schema: {} } } };
  }
  if (!route.body) return undefined;
  const required = !route.body.safeParse({}).success;
  const content = { schema: route.body, example: safeExample(route.body) };
  return { required, content: { 'application/json': content } };
}

const isPaged = ({ query }: OrchestrationRoute) =>
  query instanceof z.ZodObject && 'cursor' in query.shape;

function headersOf(route: OrchestrationRoute) {
  return {
    'X-Correlation-ID': referenceTo('headers', 'CorrelationId'),
    'X-Acting-As': referenceTo('headers', 'ActingAs'),
    ...((route.path.includes('/:') || route.operation === 'listCompanies') && {
      'X-Event-Position': referenceTo('headers', 'EventPosition'),
    }),
    ...(isPaged(route) && {
      'X-Next-Cursor': referenceTo('headers', 'NextCursor'),
      'X-Limit': referenceTo('headers', 'Limit'),
    }),
    ...(isKeyed(route) && {
      'Idempotency-Replayed': referenceTo('headers', 'IdempotencyReplayed'),
    }),
    ...(answersResource(route) && {
      'Preference-Applied': referenceTo('headers', 'PreferenceApplied'),
    }),
  };
}

const TEXT = /^text\//;

function contentOf(route: OrchestrationRoute, answer: z.ZodType | undefined) {
  const { streams } = route;
  if (streams === undefined) return { 'application/json': { schema: answer ?? z.unknown() } };
  if (!TEXT.test(streams)) return { [streams]: { schema: {} } };
  return { [streams]: { schema: { type: 'string' as const } } };
}

const SAID: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  206: 'A part',
  304: 'Unchanged',
};

function successesOf(route: OrchestrationRoute): Operation['responses'] {
  const all: Record<number, z.ZodType | null | undefined> = {
    ...route.otherResponses,
    [route.status]: route.status === 204 ? null : (route.response ?? route.event),
  };
  const answers = Object.entries(all).map(([status, answer]) => [
    status,
    {
      description: SAID[Number(status)] ?? 'OK',
      headers: headersOf(route),
      ...(answer !== null && { content: contentOf(route, answer) }),
    },
  ]);
  return Object.fromEntries(answers);
}

function securityOf({ access, browserOnly }: OrchestrationRoute, isLocal: boolean): Security {
  const who = access as Access;
  const boardMay = who !== 'agent' && !isOpen(who);
  const credentials = browserOnly ? SESSION : SECURITY[who];
  return isLocal && boardMay ? [...credentials, {}] : credentials;
}

export function operationOf(route: OrchestrationRoute, isLocal: boolean): Operation {
  const requestBody = bodyOf(route);
  return {
    method: route.method,
    path: route.path,
    operationId: route.operation,
    summary: route.summary,
    ...(route.tag && { tags: [route.tag] }),
    security: securityOf(route, isLocal),
    parameters: parametersFor(route),
    query: route.query,
    ...(requestBody && { requestBody }),
    responses: { ...successesOf(route), ...refusals(refusalsOf(route)) },
  };
}
