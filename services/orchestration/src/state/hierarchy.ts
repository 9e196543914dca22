import { Prisma, type Transaction } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';

const PARENT_COLUMN = { issue: 'parent_id', goal: 'parent_id', agent: 'reports_to' } as const;

/** Changes of one company's hierarchy wait for each other from here on; taken before any of its rows. */
export async function lockHierarchy(
  tx: Transaction,
  table: keyof typeof PARENT_COLUMN,
  companyId: string,
): Promise<void> {
  await tx.prisma
    .$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`${table}:${companyId}`}, 0))) lock`;
}

/**
 * Refuses a parent that would make a circle. Changes of one company's hierarchy wait for each other:
 * two that are harmless alone may close a circle together.
 * @throws ApiError 422 `cycle`
 */
export async function assertNoCycle(
  tx: Transaction,
  table: keyof typeof PARENT_COLUMN,
  companyId: string,
  id: string,
  parentId: string,
): Promise<void> {
  const column = Prisma.raw(PARENT_COLUMN[table]);
  const name = Prisma.raw(table);
  await lockHierarchy(tx, table, companyId);
  const found = await tx.prisma.$queryRaw<unknown[]>`
    WITH RECURSIVE above AS (
      SELECT id, ${column} AS parent FROM ${name} WHERE id = ${parentId}::uuid
      UNION
      SELECT t.id, t.${column} FROM ${name} t JOIN above ON t.id = above.parent
    ) SELECT 1 FROM above WHERE id = ${id}::uuid`;
  if (found.length > 0) {
    const field = table === 'agent' ? 'reportsTo' : 'parentId';
    throw unprocessable('cycle', `${field} would make a circle`, { field });
  }
}
