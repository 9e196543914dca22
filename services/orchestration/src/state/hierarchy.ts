import { ask, statement, type Transaction } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';

/**
 * Rejects a parent that would close a cycle. Changes to a company's hierarchy are serialised,
 * because two concurrent changes may together close a cycle.
 * @throws ApiError 422 `cycle`
 */
export async function assertNoCycle(
  tx: Transaction,
  table: Table,
  companyId: string,
  id: string,
  parentId: string,
): Promise<void> {
  await lockHierarchy(tx, table, companyId);
  const found = await ask(tx, FIND_ABOVE[table], { id, parentId });
  if (found.length > 0) {
    const field = table === 'agent' ? 'reportsTo' : 'parentId';
    throw unprocessable(
      'cycle',
      `${field} would create a cycle: it must not name the object itself or one below it`,
      { field },
    );
  }
}

/** Serialises changes to a company's hierarchy; call before locking any of its rows. */
export async function lockHierarchy(
  tx: Transaction,
  table: Table | 'issue_blocker',
  companyId: string,
): Promise<void> {
  await ask(tx, takeLock, { key: `${table}:${companyId}` });
}

type Table = keyof typeof FIND_ABOVE;

const takeLock = statement('lock-hierarchy', {
  takes: { key: 'text' },
  gives: {},
  sql: ({ key }) =>
    `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))) AS held`,
});

const findAbove = (table: string, parent: string) =>
  statement(`find-above-${table}`, {
    takes: { id: 'uuid', parentId: 'uuid' },
    gives: { id: 'uuid' },
    sql: (p) => `
      WITH RECURSIVE above AS (
        SELECT id, ${parent} AS parent FROM ${table} WHERE id = ${p.parentId}
        UNION
        SELECT t.id, t.${parent} FROM ${table} t JOIN above ON t.id = above.parent
      ) SELECT id FROM above WHERE id = ${p.id}`,
  });

const FIND_ABOVE = {
  issue: findAbove('issue', 'parent_id'),
  goal: findAbove('goal', 'parent_id'),
  agent: findAbove('agent', 'reports_to'),
} as const;
