import { ask, statement } from '@switchyard/db';
import type { UpdateCompanyBody } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { enforceCompanyBudget } from '../budgets/company-budget';
import { disableEndpoints, lockEndpoints } from '../deliveries/endpoint-deliveries';
import { haltCompany } from './halt-company';

type CompanyFields = Omit<UpdateCompanyBody, 'confirmUnlimited'>;

export async function writeCompany(
  tx: Tx,
  fields: CompanyFields,
  changed: (keyof CompanyFields)[],
): Promise<void> {
  const { companyId } = tx;
  await ask(tx, updateCompany, {
    companyId,
    given: Object.keys(fields),
    name: fields.name ?? null,
    description: fields.description ?? null,
    status: fields.status ?? null,
    budgetMonthlyCents: fields.budgetMonthlyCents ?? null,
    logoAssetId: fields.logoAssetId ?? null,
    egressAllowList: fields.egressAllowList ?? null,
  });
  if (changed.includes('status') && fields.status === 'paused') {
    await haltCompany(tx, 'company_paused');
  }
  if (changed.includes('budgetMonthlyCents')) await enforceCompanyBudget(tx);
  await tx.record('company.updated', companyId, { changed });
}

/**
 * Archives the company, stops its runs and disables its endpoints; idempotent. Waits for issues and
 * comments that are being stored, because their foreign keys lock the company's row. Later ones
 * wait for the archive and are rejected.
 */
export async function archive(tx: Tx): Promise<void> {
  const { companyId } = tx;
  await lockEndpoints(tx, companyId);
  await ask(tx, lockWholly, { companyId });
  const [archived] = await ask(tx, writeArchived, { companyId });
  if (!archived) return;
  await haltCompany(tx, 'company_archived');
  await disableEndpoints(tx, companyId);
  await tx.record('company.archived', companyId);
}

const updateCompany = statement('update-company', {
  takes: {
    companyId: 'uuid',
    given: 'text[]',
    name: 'text?',
    description: 'text?',
    status: 'text?',
    budgetMonthlyCents: 'bigint?',
    logoAssetId: 'uuid?',
    egressAllowList: 'text[]?',
  },
  gives: {},
  sql: (p) => `
    UPDATE company SET
      name = coalesce(${p.name}, name),
      description = CASE WHEN 'description' = ANY (${p.given}) THEN ${p.description} ELSE description END,
      status = coalesce(${p.status}, status),
      budget_monthly_cents = coalesce(${p.budgetMonthlyCents}, budget_monthly_cents),
      logo_asset_id = CASE WHEN 'logoAssetId' = ANY (${p.given}) THEN ${p.logoAssetId} ELSE logo_asset_id END,
      egress_allow_list = CASE WHEN 'egressAllowList' = ANY (${p.given}) THEN ${p.egressAllowList}
        ELSE egress_allow_list END,
      updated_at = now()
    WHERE id = ${p.companyId}`,
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
