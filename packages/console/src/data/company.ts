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
 * Returns the companies to choose from. An old list is read again: no event announces changes in other companies, and the stream of the chosen
 * one begins where the list was read (`live/positions.ts`).
 */
export const useCompanyChoice = () => useRead('/api/companies', {}, { staleTime: 60_000 });

const LAST = 'last-company';

export const lastCompany = (): string | null => localStorage.getItem(LAST);
export const rememberCompany = (prefix: string): void => localStorage.setItem(LAST, prefix);
