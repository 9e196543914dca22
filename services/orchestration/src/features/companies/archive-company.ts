import type { CompanyView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { archive } from '../../state/companies/transitions';
import { getCompany } from './companies';

export async function archiveCompany(call: Call): Promise<CompanyView> {
  return inTransaction(call, async (tx) => {
    await archive(tx);
    return getCompany(tx);
  });
}
