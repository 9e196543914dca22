import { valueError } from '../http/invalid-request';
import type { Resources } from '../resources';

export interface WithAccounts {
  accounts: readonly Resources[];
}

export function findAccount<Of extends Resources>(
  resources: Of & WithAccounts,
  name: string | undefined,
  place: 'query' | 'body',
): Of {
  if (name === undefined) return resources;
  const found = resources.accounts.find(({ account }) => account === name);
  if (!found) throw valueError([place, 'account'], 'must be the name of an account', name);
  return { ...resources, ...found };
}
