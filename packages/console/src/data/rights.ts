import { useCompany } from './company';

/** Viewers may only read, and so may everyone in an archived company: hides what would be refused. */
export function useMayWrite(): boolean {
  const { role, status } = useCompany();
  return role !== 'viewer' && status !== 'archived';
}

export const useIsOwner = (): boolean => useCompany().role === 'owner';
