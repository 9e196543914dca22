import { type Database, foreignKeyViolation, isId, uniqueViolation } from '@switchyard/db';
import { conflict, forbidden, unprocessable } from '@switchyard/server';

interface ForeignKey {
  columns: string[];
  target: string;
}

const DESCRIBE = `
  SELECT confrelid::regclass::text AS target,
    ARRAY(SELECT attname::text FROM pg_attribute
      WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
  FROM pg_constraint WHERE conname = $1 AND contype = 'f'`;

const camelCase = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function idsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((item): item is string => typeof item === 'string' && isId(item));
}

/** The field of the body that a refused column came from: `goal_id` is `goalId` or one of `goalIds`. */
function fieldOf(columns: string[], body: Record<string, unknown>) {
  for (const column of columns.filter((name) => name !== 'company_id')) {
    const field = camelCase(column);
    for (const name of [field, `${field}s`]) {
      if (body[name] !== undefined) return { name, ids: idsOf(body[name]) };
    }
  }
  return null;
}

/**
 * Says what PostgreSQL's refusal of a reference means: composite keys refuse every id of another
 * company, so the one open question is whether the id exists elsewhere (403) or nowhere (422).
 * Other errors are answered as they came.
 */
export async function explainReference(
  db: Database,
  error: unknown,
  companyId: string | null,
  body: unknown,
): Promise<unknown> {
  if (uniqueViolation(error) !== null) {
    return conflict('conflict', 'something with this name or key exists already');
  }
  const constraint = foreignKeyViolation(error);
  if (constraint === null || typeof body !== 'object' || body === null) return error;
  const [key] = await db.rows<ForeignKey>('describe-foreign-key', DESCRIBE, [constraint]);
  const field = key && fieldOf(key.columns, body as Record<string, unknown>);
  if (!key || !field) return error;
  const foreign = await db.prisma.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM ${key.target} WHERE id = ANY ($1::uuid[]) AND company_id <> $2::uuid`,
    field.ids,
    companyId,
  );
  const details = { field: field.name };
  return foreign.length > 0
    ? forbidden('cross_company', `${field.name} belongs to another company`, details)
    : unprocessable('unknown_reference', `${field.name} does not exist`, details);
}
