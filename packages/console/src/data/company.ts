import { createContext, useContext } from 'react';
import type { Schemas } from './api';
import { useRead } from './read';

export type Company = Schemas['ListedCompany'];

export const CompanyContext = createContext<Company | undefined>(undefined);

export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('useCompany() called outside a company route');
  return company;
}

/**
 * Reads the list again if it is a minute old: no event announces changes in other companies, and
 * the chosen company's stream starts at the position of this list (`live/positions.ts`).
 */
export const useCompanyChoice = () => useRead('/api/companies', {}, { staleTime: 60_000 });

const LAST = 'last-company';

export const lastCompany = (): string | null => localStorage.getItem(LAST);
export const rememberCompany = (prefix: string): void => localStorage.setItem(LAST, prefix);
