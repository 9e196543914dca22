import { inTransaction } from '@switchyard/db';
import type { CompanyView, UpdateCompanyBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { getCompany } from './companies';
import { haltCompany } from './halt-company';

export async function updateCompany(scope: Scope, body: UpdateCompanyBody): Promise<CompanyView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const before = await tx.company.findUniqueOrThrow({ where: { id: companyId } });
    await tx.company.update({ where: { id: companyId }, data: body });
    if (body.status === 'paused' && before.status !== 'paused') {
      await haltCompany(tx, companyId, 'company_paused');
    }
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'company.updated',
      entityType: 'company',
      entityId: companyId,
      details: { changed: Object.keys(body) },
    });
    return getCompany(tx, companyId);
  });
}
