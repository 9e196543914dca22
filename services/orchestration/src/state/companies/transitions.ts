import { ask, statement } from '@switchyard/db';
import type { UpdateCompanyBody } from '@switchyard/types';
import type { Tx } from '../../call';
import { enforceCompanyBudget } from '../budgets/company-budget';
import { haltCompany } from './halt-company';

type CompanyFields = Omit<UpdateCompanyBody, 'confirmUnlimited'>;

/** Writes fields of a company that is locked; a pause halts its runs, another budget is enforced at once. */
export async function writeCompany(
  tx: Tx,
  fields: CompanyFields,
  changed: (keyof CompanyFields)[],
): Promise<void> {
  const { companyId } = tx;
  const { egressAllowList, ...data } = fields;
  await tx.prisma.company.update({ where: { id: companyId }, data });
  // Prisma knows no list that may be null.
  if (egressAllowList !== undefined) await ask(tx, writeAllowList, { companyId, egressAllowList });
  if (changed.includes('status') && fields.status === 'paused') {
    await haltCompany(tx, 'company_paused');
  }
  if (changed.includes('budgetMonthlyCents')) await enforceCompanyBudget(tx);
  await tx.record('company.updated', companyId, { changed });
}

/**
 * Archives the company and halts its runs; archiving what is archived changes nothing. Waits for issues and comments that
 * are being stored, whose foreign keys lock the company's row; those that come later wait for the archive and are refused.
 */
export async function archive(tx: Tx): Promise<void> {
  const { companyId } = tx;
  await ask(tx, lockWholly, { companyId });
  const [archived] = await ask(tx, writeArchived, { companyId });
  if (!archived) return;
  await haltCompany(tx, 'company_archived');
  await tx.record('company.archived', companyId);
}

const writeAllowList = statement('write-egress-allow-list', {
  takes: { companyId: 'uuid', egressAllowList: 'text[]?' },
  gives: {},
  sql: (p) =>
    `UPDATE company SET egress_allow_list = ${p.egressAllowList} WHERE id = ${p.companyId}`,
});

const lockWholly = statement('lock-company-to-archive', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM company WHERE id = ${companyId} FOR UPDATE`,
});

const writeArchived = statement('archive-company', {
  takes: { companyId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ companyId }) => `
    UPDATE company SET status = 'archived', updated_at = now()
    WHERE id = ${companyId} AND status <> 'archived' RETURNING id`,
});
