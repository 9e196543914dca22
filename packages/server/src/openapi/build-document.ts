import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import type { Method } from '../http/route';

export type OpenApiDocument = ReturnType<typeof createDocument>;

export interface Operation extends ZodOpenApiOperationObject {
  method: Method;
  path: string;
  operationId: string;
  summary: string;
  query?: z.ZodType | undefined;
}

export interface DocumentFrame extends Pick<ZodOpenApiObject, 'info' | 'tags' | 'components'> {
  schemas?: Readonly<Record<string, z.ZodType>>;
}

type Paths = NonNullable<ZodOpenApiObject['paths']>;
type Schemas = Record<string, oas31.SchemaObject>;

const OUTPUT = 'Output';

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function pathsOf(operations: readonly Operation[]): Paths {
  const paths: Paths = {};
  for (const { method, path, query, parameters = [], ...described } of operations) {
    const own = path.replace(/:(\w+)/g, '{$1}');
    paths[own] = {
      ...paths[own],
      [method.toLowerCase()]: {
        ...described,
        parameters: [...parameters, ...queryParameters(query)],
      },
    };
  }
  return paths;
}

/** Keeps only the format, because the regular expression has more than 200 characters. */
function withoutPattern({ jsonSchema }: { jsonSchema: { format?: string; pattern?: string } }) {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

/**
 * The generator names a nested shape differently for input and output. If a shape is not used as
 * input, its output gets the name without the suffix.
 */
function withPlainNames(document: OpenApiDocument): OpenApiDocument {
  const names = Object.keys(document.components?.schemas ?? {});
  const renamed = names.filter((name) => name.endsWith(OUTPUT));
  let text = JSON.stringify(document);
  for (const name of renamed) {
    const plain = name.slice(0, -OUTPUT.length);
    if (names.includes(plain)) continue;
    text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`);
    text = text.replace(`"${name}":`, `"${plain}":`);
  }
  return JSON.parse(text) as OpenApiDocument;
}

function withoutUnused({ components, ...rest }: OpenApiDocument): OpenApiDocument {
  const all = (components?.schemas ?? {}) as Schemas;
  const used = new Set<string>();
  const waiting: unknown[] = [{ ...rest, ...components, schemas: undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      waiting.push(all[name]);
    }
  }
  const kept = [...used].sort().map((name) => [name, all[name]]);
  const schemas = Object.fromEntries(kept);
  return { ...rest, components: { ...components, schemas } };
}

export function buildDocument(
  frame: DocumentFrame,
  operations: readonly Operation[],
): OpenApiDocument {
  const { schemas = {}, components, ...about } = frame;
  const named = Object.entries(schemas).map(([name, schema]) => [capitalised(name), schema]);
  const document = createDocument(
    {
      openapi: '3.1.0',
      ...about,
      servers: [{ url: '/' }],
      paths: pathsOf(operations),
      components: { ...components, schemas: Object.fromEntries(named) },
    },
    {
      override: withoutPattern,
      allowEmptySchema: { custom: true, transform: true, unknown: true },
    },
  );
  return withPlainNames(withoutUnused(document));
}

interface ObjectSchema {
  properties?: Record<string, oas31.SchemaObject & { $schema?: string }>;
  required?: string[];
}

function described(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as ObjectSchema;
}

function schemaOf(sent: oas31.SchemaObject, read: oas31.SchemaObject | undefined) {
  const { pattern, ...schema } = read?.type === undefined ? sent : read;
  return schema.format === undefined && pattern !== undefined ? { ...schema, pattern } : schema;
}

function queryParameters(query: z.ZodType | undefined): oas31.ParameterObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = described(query, 'input');
  const read = described(query, 'output').properties ?? {};
  return Object.entries(properties).map(([name, sent]) => {
    const schema = schemaOf(sent, read[name]);
    const isList = schema.type === 'array';
    return {
      name,
      in: 'query' as const,
      required: required.includes(name),
      ...(isList && { style: 'form' as const, explode: false }),
      schema,
    };
  });
}
