import { readGridId } from '../grids/grid-id';
import { valueError } from '../http/invalid-request';
import type { Resources } from '../resources';

interface WithAccounts {
  accounts: readonly Resources[];
}

export function findAccount<Of extends Resources>(
  resources: Of & WithAccounts,
  name: string | undefined,
  place: 'query' | 'body',
): Of {
  if (name === undefined) return resources;
  const found = resources.accounts.find(({ account }) => account === name);
  if (!found) throw valueError([place, 'account'], 'there is no account with this name', name);
  return { ...resources, ...found };
}

/**
 * Falls back to the first account if the grid's exchange is no longer configured.
 * @throws ApiError 404 for an invalid grid id
 */
export async function findGrid<Of extends Resources>(
  resources: Of & WithAccounts,
  given: unknown,
): Promise<[Of, string]> {
  const gridId = readGridId(given);
  const { rows } = await resources.db.pool.query<{ exchange: string }>(
    'SELECT exchange FROM grid WHERE grid_id = $1',
    [gridId],
  );
  const found = resources.accounts.find(({ exchange }) => exchange.name === rows[0]?.exchange);
  return [{ ...resources, ...found }, gridId];
}
