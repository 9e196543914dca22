import { z } from 'zod';

interface Shape {
  $ref?: string;
  $defs?: Record<string, Shape>;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  minimum?: number;
}

/**
 * Returns an example that is harmless if sent: only required fields, empty texts, the role with the
 * fewest rights.
 */
export function safeExample(body: z.ZodType): unknown {
  const shape = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape;
  return exampleOf(shape, shape.$defs ?? {});
}

function exampleOf(shape: Shape, named: Record<string, Shape>): unknown {
  if (shape.$ref) return exampleOf(named[shape.$ref.replace('#/$defs/', '')] ?? {}, named);
  const [choice] = shape.anyOf ?? shape.oneOf ?? [];
  if (choice) return exampleOf(choice, named);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum.includes('viewer') ? 'viewer' : '';
  if (shape.type === 'object' || shape.properties) {
    const { required = [], properties = {} } = shape;
    return Object.fromEntries(
      required.map((name) => [name, exampleOf(properties[name] ?? {}, named)]),
    );
  }
  if (shape.type === 'array') return [];
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(shape.minimum ?? 0, 0);
  if (shape.type === 'boolean') return false;
  return shape.type === 'string' ? '' : null;
}
