import { ask, statement, type Transaction } from '@switchyard/db';

export async function lockCompany(tx: Transaction, companyId: string): Promise<void> {
  await ask(tx, lockCompanyRow, { companyId });
}

export const lockCompanyRow = statement('lock-company', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM company WHERE id = ${companyId} FOR NO KEY UPDATE`,
});

export async function lockCompanyWholly(tx: Transaction, companyId: string): Promise<void> {
  await ask(tx, lockWholly, { companyId });
}

const lockWholly = statement('lock-company-wholly', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM company WHERE id = ${companyId} FOR UPDATE`,
});
