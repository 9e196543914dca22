import { useCompany } from './company';

/** A viewer reads; what a viewer may not do is not shown. */
export const useMayWrite = (): boolean => useCompany().role !== 'viewer';
