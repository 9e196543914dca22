import { unwrap } from '@switchyard/client';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useSend } from '../../data/send';

export type CompanyChanges = Schemas['UpdateCompanyBody'];

export function useUpdateCompany(onDone?: () => void) {
  const { id: companyId } = useCompany();
  return useSend(
    (body: CompanyChanges) =>
      unwrap(api.PATCH('/api/companies/{companyId}', { params: { path: { companyId } }, body })),
    { optimistic: (changes) => ({ id: companyId, changes }), onDone },
  );
}
