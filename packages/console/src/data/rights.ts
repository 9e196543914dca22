import { useCompany } from './company';

export function useMayWrite(): boolean {
  const { role, status } = useCompany();
  return role !== 'viewer' && status !== 'archived';
}

export const useIsOwner = (): boolean => useCompany().role === 'owner';
