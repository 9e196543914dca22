import type { OpenApiDocument } from '@switchyard/server';
import { apiDocument } from '../src/http/openapi/api-document';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import type { JsonSchema } from './junk';

export const lookRoutes = (): readonly OrchestrationRoute[] => allRoutes;

export const document = (): OpenApiDocument => apiDocument(lookRoutes(), true);

export interface KnownOperation {
  method: string;
  path: string;
  body: JsonSchema | undefined;
  queries: Record<string, JsonSchema>;
  answers: Record<string, string[]>;
}

interface Described {
  parameters?: { in?: string; name?: string; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, Answer>;
}

interface Answer {
  $ref?: string;
  content?: object;
}

function typesOf(document: OpenApiDocument, { $ref, content }: Answer): string[] {
  const name = $ref?.split('/').at(-1);
  const answer = name ? (document.components?.responses?.[name] as Answer) : { content };
  return Object.keys(answer.content ?? {});
}

function inlined(document: OpenApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(Object(value).$ref))?.[1];
  if (name) return inlined(document, document.components?.schemas?.[name]);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, inlined(document, child)]),
  );
}

export function operationsOf(document: OpenApiDocument): KnownOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Described>).map(([method, operation]) => {
      const queries = (operation.parameters ?? []).filter((one) => one.in === 'query');
      const body = operation.requestBody?.content['application/json']?.schema;
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, ':$1'),
        body: inlined(document, body) as JsonSchema | undefined,
        queries: Object.fromEntries(queries.map((one) => [one.name, one.schema ?? {}])),
        answers: Object.fromEntries(
          Object.entries(operation.responses).map(([status, answer]) => [
            status,
            typesOf(document, answer),
          ]),
        ),
      };
    }),
  );
}
