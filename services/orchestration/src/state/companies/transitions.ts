import { ask, statement } from '@switchyard/db';
import type { UpdateCompanyBody } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { lockCompanyWholly } from './lock-company';

export async function writeCompany(
  tx: Tx,
  fields: Omit<UpdateCompanyBody, 'confirmUnlimited'>,
): Promise<void> {
  await ask(tx, updateCompany, {
    companyId: tx.companyId,
    given: Object.keys(fields),
    name: fields.name ?? null,
    description: fields.description ?? null,
    status: fields.status ?? null,
    budgetMonthlyCents: fields.budgetMonthlyCents ?? null,
    logoAssetId: fields.logoAssetId ?? null,
    egressAllowList: fields.egressAllowList ?? null,
    runWeight: fields.runWeight ?? null,
  });
}

/**
 * Returns false for an archived company. Waits for issues and comments that are being stored,
 * because their foreign keys lock the company's row. Later inserts wait until the company is
 * archived, and are then rejected.
 */
export async function writeArchived(tx: Tx): Promise<boolean> {
  await lockCompanyWholly(tx, tx.companyId);
  const archived = await ask(tx, archiveById, { companyId: tx.companyId });
  return archived.length > 0;
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
    runWeight: 'int?',
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
      run_weight = coalesce(${p.runWeight}, run_weight),
      updated_at = now()
    WHERE id = ${p.companyId}`,
});

const archiveById = statement('archive-company', {
  takes: { companyId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ companyId }) => `
    UPDATE company SET status = 'archived', updated_at = now()
    WHERE id = ${companyId} AND status <> 'archived' RETURNING id`,
});
