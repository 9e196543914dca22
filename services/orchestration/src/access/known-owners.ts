/** About 3 MB. */
const MOST = 20_000;

/** The companies of rows that were looked up before. It forgets what it has known longest. */
export interface KnownOwners {
  companyOf(id: string): string | undefined;
  add(id: string, companyId: string): void;
}

export function createKnownOwners(most = MOST): KnownOwners {
  const companies = new Map<string, string>();
  return {
    companyOf: (id) => companies.get(id),
    add: (id, companyId) => {
      companies.set(id, companyId);
      for (const oldest of companies.keys()) {
        if (companies.size <= most) return;
        companies.delete(oldest);
      }
    },
  };
}
