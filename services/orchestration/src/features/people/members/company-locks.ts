import { ask, type Database, statement } from '@switchyard/db';

/** Changes of a company's members wait for each other: of two owners who leave at once the second sees it. */
export async function lockMembers(tx: Database & { companyId: string }): Promise<void> {
  await ask(tx, lockCompany, { companyId: tx.companyId });
}

/** The company's status, which does not change before the transaction ends, nor do its members. */
export async function shareCompany(tx: Database, companyId: string): Promise<string | null> {
  const [company] = await ask(tx, lockCompanyShared, { companyId });
  return company?.status ?? null;
}

const lockCompany = statement('lock-members', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM company WHERE id = ${companyId} FOR NO KEY UPDATE`,
});

const lockCompanyShared = statement('share-company', {
  takes: { companyId: 'uuid' },
  gives: { status: 'text' },
  sql: ({ companyId }) => `SELECT status FROM company WHERE id = ${companyId} FOR SHARE`,
});
