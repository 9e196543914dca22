import { useCompany } from './company';

/**
 * Viewers, and everyone in an archived company, may only read: hide controls that the service would
 * refuse.
 */
export function useMayWrite(): boolean {
  const { role, status } = useCompany();
  return role !== 'viewer' && status !== 'archived';
}

export const useIsOwner = (): boolean => useCompany().role === 'owner';
