import type { CompanyView, CreateCompanyBody } from '@switchyard/types';
import { assertMayFound } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { foundCompany } from '../../state/companies/found-company';
import { getCompany } from './companies';

/**
 * Makes the creator the company's owner.
 * @throws ApiError 403 `administrators_only` if COMPANY_FOUNDERS excludes the caller
 */
export async function createCompany(
  call: Call<string | null>,
  body: CreateCompanyBody,
): Promise<CompanyView> {
  assertMayFound(call.actor, call.context.config.companyFounders);
  return inTransaction(call, async (tx) => {
    const companyId = await foundCompany(tx, body);
    return getCompany({ ...tx, companyId });
  });
}
