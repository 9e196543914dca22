import { ask, type Database, statement } from '@switchyard/db';

/** Serialises changes, so that the last two owners cannot both leave. */
export async function lockMembers(tx: Database & { companyId: string }): Promise<void> {
  await ask(tx, lockCompany, { companyId: tx.companyId });
}

/** Prevents changes of the status and the members until the transaction ends. */
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
