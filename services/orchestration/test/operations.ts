import type { OpenApiDocument } from '@switchyard/server';
import { apiDocument } from '../src/openapi/api-document';
import type { OrchestrationRoute } from '../src/pipeline';
import { allRoutes } from '../src/routes';
import type { JsonSchema } from './junk';

/** The route table without a service behind it: good for looking at, not for calling. */
export const lookRoutes = (): readonly OrchestrationRoute[] => allRoutes;

/** The document as clients get it. */
export const document = (): OpenApiDocument => apiDocument(lookRoutes(), true);

/** What a client that knows nothing but the document knows of an operation. */
export interface KnownOperation {
  method: string;
  /** With `:name` parameters, as the route table writes it. */
  path: string;
  body: JsonSchema | undefined;
  queries: Record<string, JsonSchema>;
}

interface Described {
  parameters?: { in?: string; name?: string; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
}

/** `value` with the shapes that it refers to in their places; bodies refer in no circles. */
function inlined(document: OpenApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(Object(value).$ref))?.[1];
  if (name) return inlined(document, document.components?.schemas?.[name]);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, inlined(document, child)]),
  );
}

/** Every operation of the document, in its order. */
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
      };
    }),
  );
}
