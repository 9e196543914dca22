import type { CompanyView } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { writeArchived } from '../../state/companies/transitions';
import { disableEndpoints, lockEndpoints } from '../../state/deliveries/endpoint-deliveries';
import { haltCompany } from '../../state/runs/halt-runs';
import { getCompany } from './companies';

export async function archiveCompany(call: Call): Promise<CompanyView> {
  return inTransaction(call, async (tx) => {
    await archive(tx);
    return getCompany(tx);
  });
}

export async function archive(tx: Tx): Promise<void> {
  await lockEndpoints(tx, tx.companyId);
  if (!(await writeArchived(tx))) return;
  await haltCompany(tx, 'company_archived');
  await disableEndpoints(tx, tx.companyId);
  await tx.record('company.archived', tx.companyId);
}
