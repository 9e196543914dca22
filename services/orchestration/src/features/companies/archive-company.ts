import type { CompanyView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { getCompany } from './companies';
import { haltCompany } from './halt-company';

/** Idempotent: archiving what is archived changes nothing (contract, "Company"). */
export async function archiveCompany(call: Call): Promise<CompanyView> {
  const { companyId } = call;
  return inTransaction(call, async (tx) => {
    const { count } = await tx.prisma.company.updateMany({
      where: { id: companyId, status: { not: 'archived' } },
      data: { status: 'archived' },
    });
    if (count > 0) {
      await haltCompany(tx, companyId, 'company_archived');
      await tx.record('company.archived', companyId);
    }
    return getCompany(tx, companyId);
  });
}
