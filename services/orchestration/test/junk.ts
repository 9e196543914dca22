import fc from 'fast-check';
import { z } from 'zod';

export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '\uffff',
  '😀'.repeat(300),
  "'; DROP TABLE issue; --",
  '%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e309',
  '0000-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999-14:00',
  '@Agent @everyone',
  '${' + '7*7}',
  '\r\nX-Injected: 1',
  'x'.repeat(201),
  'x'.repeat(70_000),
];

const NUMBERS = [0, -0, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308];

const json = (text: string) => JSON.parse(text) as unknown;

export const junkText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary' }));

const junk: fc.Arbitrary<unknown> = fc.oneof(
  junkText,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[[]]], ...NUMBERS),
  fc.constantFrom('{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}').map(json),
  fc.constant('['.repeat(2_000) + ']'.repeat(2_000)).map(json),
  fc.jsonValue(),
);

function nearly(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fitting(schema, ids) }, { weight: 1, arbitrary: junk });
}

function fitting(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => nearly(choice, ids)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'string') {
    if (schema.format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
    if (schema.format === 'date-time') {
      return fc.constantFrom(
        '2026-11-21T04:05:06Z',
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59-14:00',
      );
    }
    if (schema.format === 'date') return fc.constantFrom('2026-11-21', '0000-01-01', '9999-12-31');
    return fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), junkText);
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(...NUMBERS));
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') return fc.array(nearly(schema.items ?? {}, ids), { maxLength: 5 });
  if (schema.type === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([key, value]): [string, fc.Arbitrary<unknown>] => [key, nearly(value, ids)],
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  }
  return fc.oneof(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue()), junk);
}

export function inputsFor(
  described: JsonSchema | undefined,
  ids: readonly string[],
  good: object | undefined,
): fc.Arbitrary<unknown> {
  if (!described) return fc.oneof(fc.constant(undefined), junk);
  const fields = Object.entries(described.properties ?? {});
  if (!good || fields.length === 0) return nearly(described, ids);
  const changed = fc
    .constantFrom(...fields)
    .chain(([key, field]) => nearly(field, ids).map((value) => ({ ...good, [key]: value })));
  return fc.oneof(
    { weight: 1, arbitrary: nearly(described, ids) },
    { weight: 3, arbitrary: changed },
  );
}

export function queriesFor(described: Record<string, JsonSchema>, ids: readonly string[]) {
  const fields = Object.keys(described).map((key): [string, fc.Arbitrary<string>] => [
    key,
    fc.oneof(fc.constantFrom(...ids, '1', '100', 'todo,done', 'queued'), junkText),
  ]);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const unknown = fc.dictionary(fc.string({ maxLength: 5 }), junkText, { maxKeys: 1 });
  return fc
    .oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: unknown })
    .map((query) => {
      const words = new URLSearchParams();
      for (const [key, value] of Object.entries(query as Record<string, string>)) {
        words.append(key.toWellFormed(), value.slice(0, 3_000).toWellFormed());
      }
      const text = words.toString();
      return text ? `?${text}` : '';
    });
}

const UNBROKEN = [
  'a',
  '@',
  '<',
  '[',
  '](',
  '`',
  '*',
  '_*',
  '> ',
  '- ',
  '\n',
  ' ',
  'a@b.',
  'eyJ-',
  '&#',
  '😀',
];

/**
 * Generates bodies in which one text field is a single long word: a megabyte, or the longest
 * accepted length, which the handler processes.
 */
export function hugeBodies(schema: z.ZodType | undefined, good: object): [string, object][] {
  if (!schema) return [];
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const { properties = {}, anyOf = [], oneOf = [] } = z.toJSONSchema(schema, options) as JsonSchema;
  const all = [properties, ...[...anyOf, ...oneOf].map((choice) => choice.properties ?? {})];
  const isText = (field: JsonSchema): boolean =>
    (field.type === 'string' && !field.enum) || (field.anyOf ?? []).some(isText);
  const fields = all.flatMap((one) => Object.entries(one)).filter(([, field]) => isText(field));
  return [...new Set(fields.map(([key]) => key))].flatMap((key) =>
    UNBROKEN.flatMap((unit) =>
      [1_000_000, 100_000].map((length): [string, object] => {
        const word = unit.repeat(Math.floor(length / unit.length));
        return [`${key} of ${length} × ${JSON.stringify(unit)}`, { ...good, [key]: word }];
      }),
    ),
  );
}
