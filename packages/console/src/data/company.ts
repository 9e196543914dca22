import { createContext, useContext } from 'react';
import type { Schemas } from './api';
import { useRead } from './read';

export type Company = Schemas['ListedCompany'];

export const CompanyContext = createContext<Company | undefined>(undefined);

/** The company whose pages are shown; every screen below `/<PREFIX>` has one. */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('this screen stands outside of a company');
  return company;
}

/**
 * The companies to choose from. The list is read again where it is old: nothing tells what changes in those that are not
 * looked at, and the stream of the one that is chosen begins where the list was read (`live/positions.ts`).
 */
export const useCompanyChoice = () => useRead('/api/companies', {}, { staleTime: 60_000 });

const LAST = 'last-company';

export const lastCompany = (): string | null => localStorage.getItem(LAST);
export const rememberCompany = (prefix: string): void => localStorage.setItem(LAST, prefix);
