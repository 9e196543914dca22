import { isDeepStrictEqual } from 'node:util';
import { conflict } from '@switchyard/server';
import type { CompanyView, UpdateCompanyBody } from '@switchyard/types';
import { assertMayWeigh } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { assertCompanyMayBeUnlimited } from '../../state/budgets/confirm-unlimited';
import { lockCompany } from '../../state/companies/lock-company';
import { writeCompany } from '../../state/companies/transitions';
import { enforceCompanyBudget } from '../../state/costs/company-budget';
import { haltCompany } from '../../state/runs/halt-runs';
import { replaceLogo } from '../attachments/replace-logo';
import { getCompany } from './companies';

/**
 * Writes the changed fields; pausing cancels waiting runs.
 * @throws ApiError 403 `administrators_only` for `runWeight`; 409 `company_archived` after a concurrent archive, `confirmation_required` for a
 * spent budget set to 0
 */
export async function updateCompany(call: Call, body: UpdateCompanyBody): Promise<CompanyView> {
  if (body.runWeight !== undefined) assertMayWeigh(call.actor);
  return inTransaction(call, async (tx) => {
    await lockCompany(tx, tx.companyId);
    const before = await getCompany(tx);
    if (before.status === 'archived') {
      throw conflict('company_archived', 'the company is archived', { retry: false });
    }
    await assertCompanyMayBeUnlimited(tx, body);
    const { confirmUnlimited: _, ...fields } = body;
    const keys = Object.keys(fields) as (keyof typeof fields)[];
    const changed = keys.filter((key) => !isDeepStrictEqual(fields[key], before[key]));
    if (changed.length === 0) return before;
    if (body.logoAssetId !== undefined && changed.includes('logoAssetId')) {
      await replaceLogo(tx, tx.companyId, before.logoAssetId, body.logoAssetId);
    }
    await writeCompany(tx, fields);
    if (changed.includes('status') && fields.status === 'paused') {
      await haltCompany(tx, 'company_paused');
    }
    if (changed.includes('budgetMonthlyCents')) await enforceCompanyBudget(tx);
    await tx.record('company.updated', tx.companyId, { changed });
    return getCompany(tx);
  });
}
