import { inTransaction } from '@switchyard/db';
import type { CompanyView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { getCompany } from './companies';
import { haltCompany } from './halt-company';

/** Idempotent: archiving what is archived changes nothing (contract, "Company"). */
export async function archiveCompany(scope: Scope): Promise<CompanyView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.company.updateMany({
      where: { id: companyId, status: { not: 'archived' } },
      data: { status: 'archived' },
    });
    if (count > 0) {
      await haltCompany(tx, companyId, 'company_archived');
      await recordActivity(tx, {
        companyId,
        actor,
        runId,
        action: 'company.archived',
        entityType: 'company',
        entityId: companyId,
      });
    }
    return getCompany(tx, companyId);
  });
}
