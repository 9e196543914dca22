import { ask, type Database, statement } from '@switchyard/db';

/** Prevents changes of the status and the members until the transaction ends. */
export async function shareCompany(tx: Database, companyId: string): Promise<string | null> {
  const [company] = await ask(tx, lockCompanyShared, { companyId });
  return company?.status ?? null;
}

const lockCompanyShared = statement('share-company', {
  takes: { companyId: 'uuid' },
  gives: { status: 'text' },
  sql: ({ companyId }) => `SELECT status FROM company WHERE id = ${companyId} FOR SHARE`,
});
