import type { CompanyModel } from '@switchyard/db';
import type { CompanyView } from '@switchyard/types';

export function presentCompany(row: CompanyModel, spentMonthlyCents: number): CompanyView {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status as CompanyView['status'],
    issuePrefix: row.issuePrefix,
    logoAssetId: row.logoAssetId,
    logoUrl: row.logoAssetId && `/api/assets/${row.logoAssetId}/content`,
    budgetMonthlyCents: Number(row.budgetMonthlyCents),
    spentMonthlyCents,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
