import { useCompany } from './company';

/** A viewer reads; what a viewer may not do is not shown. Local mode and older services name no role. */
export function useMayWrite(): boolean {
  const { role } = useCompany() as { role?: string | null };
  return role !== 'viewer';
}
