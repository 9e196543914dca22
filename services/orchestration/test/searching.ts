import type { SearchResultView } from '@switchyard/types';
import { useHarness } from './harness';

export function useSearch() {
  const harness = useHarness();
  const find = async (companyId: string, q: string, more = ''): Promise<SearchResultView[]> => {
    const path = `/api/companies/${companyId}/search?q=${encodeURIComponent(q)}${more}`;
    return (await harness.api.get(path).expect(200)).body;
  };
  return {
    harness,
    find,
    idsOf: async (companyId: string, q: string, more = '') =>
      (await find(companyId, q, more)).map(({ id }) => id),
    comment: async (issueId: string, body: string) =>
      (await harness.api.post(`/api/issues/${issueId}/comments`).send({ body }).expect(201)).body,
  };
}
