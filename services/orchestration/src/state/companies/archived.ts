import { ask, type Database, statement } from '@switchyard/db';
import { type ApiError, conflict } from '@switchyard/server';

export function companyArchived(): ApiError {
  const what = 'the company is archived: its data cannot be changed';
  return conflict('company_archived', what, { retry: false });
}

export async function assertNotArchived(db: Database, companyId: string): Promise<void> {
  const [company] = await ask(db, findArchived, { companyId });
  if (company) throw companyArchived();
}

const findArchived = statement('find-archived-company', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM company WHERE id = ${companyId} AND status = 'archived'`,
});
