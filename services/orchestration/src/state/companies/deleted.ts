import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';

export const isDeletedSql = (companyId: string) =>
  `EXISTS (SELECT FROM deleted_company deleted WHERE deleted.id = ${companyId})`;

export async function assertNotDeleted(db: Database, companyId: string): Promise<void> {
  const [company] = await ask(db, findDeleted, { companyId });
  if (company) throw notFound('company');
}

const findDeleted = statement('find-deleted-company', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM deleted_company WHERE id = ${companyId}`,
});

export async function findUnerased(db: Database): Promise<string[]> {
  return (await ask(db, unerased, {})).map(({ id }) => id);
}

const unerased = statement('find-unerased-companies', {
  takes: {},
  gives: { id: 'uuid' },
  sql: () => `SELECT id FROM deleted_company WHERE erased_at IS NULL ORDER BY deleted_at`,
});

export async function markDeleted(db: Database, companyId: string, userId: string) {
  const [marked] = await ask(db, insertDeleted, { companyId, userId });
  return (marked as RowOf<typeof insertDeleted>).deletedAt;
}

const insertDeleted = statement('insert-deleted-company', {
  takes: { companyId: 'uuid', userId: 'text' },
  gives: { deletedAt: 'time' },
  sql: ({ companyId, userId }) => `
    INSERT INTO deleted_company (id, deleted_by_user_id) VALUES (${companyId}, ${userId})
    RETURNING deleted_at AS "deletedAt"`,
});
