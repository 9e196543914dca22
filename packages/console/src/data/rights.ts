import { useCompany } from './company';

/** A viewer reads, and an archived company can only be read: what would be refused is not shown. */
export function useMayWrite(): boolean {
  const { role, status } = useCompany();
  return role !== 'viewer' && status !== 'archived';
}

/** Members, invites and the company itself are an owner's alone. */
export const useIsOwner = (): boolean => useCompany().role === 'owner';
