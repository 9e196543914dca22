import {
  ask,
  type Database,
  foreignKeyViolation,
  isId,
  statement,
  type Transaction,
  uniqueViolation,
} from '@switchyard/db';
import { conflict, forbidden, unprocessable } from '@switchyard/server';
import type { Call } from '../kernel/call';

export type Referable =
  | 'agent'
  | 'issue'
  | 'heartbeat_run'
  | 'routine_trigger'
  | 'secret'
  | 'routine'
  | 'project'
  | 'company'
  | 'asset';

export async function assertReference(
  { db, companyId }: Pick<Call, 'db' | 'companyId'>,
  kind: Referable,
  id: string,
  field: string,
): Promise<void> {
  assertReferenced(await findReferenced(db, kind, id), companyId, field);
}

export async function assertReferences(
  { db, companyId }: Pick<Call, 'db' | 'companyId'>,
  kind: Referable,
  ids: readonly string[],
  field: string,
): Promise<void> {
  for (const id of ids) assertReferenced(await findReferenced(db, kind, id), companyId, field, id);
}

async function findReferenced(db: Database, kind: Referable, id: string) {
  const [row] = isId(id) ? await ask(db, findCompanyOf, { kind, id }) : [];
  return row?.companyId ? { companyId: row.companyId } : null;
}

export function assertReferenced<Row extends { companyId: string }>(
  row: Row | null | undefined,
  companyId: string,
  field: string,
  id?: string,
): asserts row is Row {
  if (!row) throw unknownReference(field, id);
  if (row.companyId !== companyId) throw foreignReference(field, id);
}

const findCompanyOf = statement('find-company-of', {
  takes: { kind: 'text', id: 'uuid' },
  gives: { companyId: 'uuid?' },
  sql: ({ kind, id }) => `
    SELECT CASE ${kind}
      WHEN 'agent' THEN (SELECT company_id FROM agent WHERE id = ${id})
      WHEN 'issue' THEN (SELECT company_id FROM issue WHERE id = ${id})
      WHEN 'heartbeat_run' THEN (SELECT company_id FROM heartbeat_run WHERE id = ${id})
      WHEN 'routine_trigger' THEN (SELECT company_id FROM routine_trigger WHERE id = ${id})
      WHEN 'secret' THEN (SELECT company_id FROM secret WHERE id = ${id})
      WHEN 'routine' THEN (SELECT company_id FROM routine WHERE id = ${id})
      WHEN 'project' THEN (SELECT company_id FROM project WHERE id = ${id})
      WHEN 'company' THEN (SELECT id FROM company WHERE id = ${id})
      WHEN 'asset' THEN (SELECT company_id FROM asset WHERE id = ${id})
    END AS "companyId"`,
});

export function shareSecrets(
  tx: Transaction,
  ids: string[],
): Promise<{ id: string; companyId: string; latestVersion: number }[]> {
  return ask(tx, lockSecrets, { ids: ids.filter(isId) });
}

const lockSecrets = statement('share-secrets', {
  takes: { ids: 'uuid[]' },
  gives: { id: 'uuid', companyId: 'uuid', latestVersion: 'int' },
  sql: ({ ids }) => `
    SELECT id, company_id AS "companyId", latest_version AS "latestVersion" FROM secret
    WHERE id = ANY (${ids}) ORDER BY id FOR KEY SHARE`,
});

const unknownReference = (field: string, id?: string) => {
  const said = id
    ? `${field} names ${id}, which does not exist: all must be ids of this company`
    : `${field} does not exist: it must be an id of this company`;
  return unprocessable('unknown_reference', said, { field, ...(id && { id }) });
};

const foreignReference = (field: string, id?: string) => {
  const said = id
    ? `${field} names ${id}, which belongs to another company: all must be ids of this company`
    : `${field} belongs to another company: it must be an id of this company`;
  return forbidden('cross_company', said, { field, ...(id && { id }) });
};

/**
 * Translates a foreign key violation: 403 if the id exists in another company, otherwise 422.
 * Returns other errors unchanged.
 */
export async function explainReference(
  db: Database,
  error: unknown,
  companyId: string | null,
  body: unknown,
): Promise<unknown> {
  if (uniqueViolation(error) !== null) {
    return conflict('conflict', 'this name or key is already in use: choose another');
  }
  const constraint = foreignKeyViolation(error);
  if (constraint === null || typeof body !== 'object' || body === null) return error;
  const [key] = await ask(db, describeForeignKey, { constraint });
  const field = key && fieldOf(key.columns, body as Record<string, unknown>);
  if (!key || !field) return error;
  const wrong = await db.query({
    text: `SELECT id::text, company_id IS NOT NULL AS "isForeign"
      FROM unnest($1::uuid[]) WITH ORDINALITY AS named (id, n) LEFT JOIN ${key.target} USING (id)
      WHERE company_id IS DISTINCT FROM $2::uuid ORDER BY 2 DESC, n`,
    values: [field.ids, companyId],
  });
  const [first] = wrong as { id: string; isForeign: boolean }[];
  const id = field.isList ? first?.id : undefined;
  return first?.isForeign ? foreignReference(field.name, id) : unknownReference(field.name, id);
}

const describeForeignKey = statement('describe-foreign-key', {
  takes: { constraint: 'text' },
  gives: { target: 'text', columns: 'text[]' },
  sql: ({ constraint }) => `
    SELECT confrelid::regclass::text AS target,
      ARRAY(SELECT attname::text FROM pg_attribute
        WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE conname = ${constraint} AND contype = 'f'`,
});

function fieldOf(columns: string[], body: Record<string, unknown>) {
  for (const column of columns.filter((name) => name !== 'company_id')) {
    const field = camelCase(column);
    for (const name of [field, `${field}s`]) {
      const value = body[name];
      if (value !== undefined) return { name, ids: idsOf(value), isList: Array.isArray(value) };
    }
  }
  return null;
}

const camelCase = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function idsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((item): item is string => typeof item === 'string' && isId(item));
}
