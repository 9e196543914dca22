import { conflict } from '@switchyard/server';
import type { CompanyView, UpdateCompanyBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { settleCompanyBudget } from '../../state/budgets/company-budget';
import { replaceLogo } from '../attachments/replace-logo';
import { getCompany } from './companies';
import { haltCompany } from './halt-company';

/**
 * Writes what differs; pausing cancels what waits (contract, "Company").
 * @throws ApiError 409 `company_archived` when an archive came first
 */
export async function updateCompany(call: Call, body: UpdateCompanyBody): Promise<CompanyView> {
  const { companyId } = call;
  return inTransaction(call, async (tx) => {
    await tx.prisma
      .$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
    const before = await getCompany(tx, companyId);
    if (before.status === 'archived') {
      throw conflict('company_archived', 'the company is archived', { retry: false });
    }
    const keys = Object.keys(body) as (keyof UpdateCompanyBody)[];
    const changed = keys.filter((key) => body[key] !== before[key]);
    if (changed.length === 0) return before;
    if (body.logoAssetId !== undefined && changed.includes('logoAssetId')) {
      await replaceLogo(tx, companyId, before.logoAssetId, body.logoAssetId);
    }
    await tx.prisma.company.update({ where: { id: companyId }, data: body });
    if (body.status === 'paused' && changed.includes('status')) {
      await haltCompany(tx, companyId, 'company_paused');
    }
    if (changed.includes('budgetMonthlyCents')) await settleCompanyBudget(tx, companyId);
    await tx.record('company.updated', companyId, { changed });
    return getCompany(tx, companyId);
  });
}
