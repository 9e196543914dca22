import { createContext, useContext } from 'react';
import type { Schemas } from './api';

export type Company = Schemas['ListedCompany'];

export const CompanyContext = createContext<Company | undefined>(undefined);

/** The company whose pages are shown; every screen below `/<PREFIX>` has one. */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('this screen stands outside of a company');
  return company;
}

const LAST = 'last-company';

export const lastCompany = (): string | null => localStorage.getItem(LAST);
export const rememberCompany = (prefix: string): void => localStorage.setItem(LAST, prefix);
