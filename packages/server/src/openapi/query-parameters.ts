import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

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

export function queryParameters(query: z.ZodType | undefined): oas31.ParameterObject[] {
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
