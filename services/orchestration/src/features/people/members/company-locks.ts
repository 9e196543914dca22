import { ask, type Database, statement } from '@switchyard/db';

export async function shareCompany(tx: Database, companyId: string): Promise<string | null> {
  const [company] = await ask(tx, lockCompanyShared, { companyId });
  return company?.status ?? null;
}

const lockCompanyShared = statement('share-company', {
  takes: { companyId: 'uuid' },
  gives: { status: 'text' },
  sql: ({ companyId }) => `SELECT status FROM company WHERE id = ${companyId} FOR SHARE`,
});
