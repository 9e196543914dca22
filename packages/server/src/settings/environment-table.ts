import type { z } from 'zod';

type Names = Record<string, z.ZodType>;

export interface Environment {
  groups: Record<string, Names>;
  authenticated?: Names;
}

const GIVEN = [
  ...['NODE_ENV', 'PATH', 'HOME', 'LANG'],
  ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'],
];

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isRequired = (schema: z.ZodType | undefined) =>
  schema !== undefined && !schema.safeParse(undefined).success;

function fallbackOf(schema: z.ZodType, stricter: z.ZodType | undefined): string {
  if (isRequired(schema)) return 'required';
  if (isRequired(stricter)) return 'required in authenticated mode';
  const { type, defaultValue } = schema.def as { type: string; defaultValue?: unknown };
  const value = type === 'default' || type === 'prefault' ? text(defaultValue) : '';
  return value === '' ? '' : `\`${value}\``;
}

function linesOf(names: Names, authenticated: Names): string[] {
  const documented = Object.entries(names).filter(([name]) => !GIVEN.includes(name));
  return documented.map(([name, schema]) => {
    const meaning = schema.description;
    if (!meaning) throw new Error(`${name} has no .describe('…') in the schema that reads it`);
    const fallback = fallbackOf(schema, authenticated[name]);
    return `- \`${name}\`${fallback && ` (${fallback})`}: ${meaning}`;
  });
}

export function environmentLists({ groups, authenticated = {} }: Environment): string {
  const lists = Object.entries(groups).map(([title, names]) => {
    const list = linesOf(names, authenticated).join('\n');
    return title === '' ? list : `### ${title}\n\n${list}`;
  });
  return lists.join('\n\n');
}

export const environmentNames = ({ groups }: Environment): string[] =>
  Object.values(groups).flatMap(Object.keys);

const marks = (part: string) =>
  [`<!-- ${part}: written by \`npm run format\` -->`, `<!-- end of ${part} -->`] as const;

export function withTable(document: string, part: string, table: string): string {
  const [begin, end] = marks(part);
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the document must contain the markers for ${part}: ${begin}`);
  return `${document.slice(0, from + begin.length)}\n\n${table}\n\n${document.slice(to)}`;
}
