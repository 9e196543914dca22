import { insertRows } from '../insert-rows';
import type { Kind } from '../kind';
import { needsAccount } from '../skips';
import { BALANCE_TABLE } from './columns';
import { type BalanceRow, gatherBalance } from './gather';
import { BALANCE_ON_DASHBOARD, balanceGauges } from './present';

export const BALANCE: Kind<BalanceRow> = {
  ...BALANCE_TABLE,
  component: 'account_balance',
  plan: async (resources) => ({ skip: needsAccount(resources), gather: gatherBalance }),
  targetOf: ({ asset }) => asset ?? 'balance',
  store: async (storing, seen) => {
    const rows = seen.map((row) => ({ ...row }));
    await insertRows(storing, BALANCE_TABLE.table, rows);
    return rows.map(({ asset }) => asset ?? '');
  },
  dashboard: BALANCE_ON_DASHBOARD,
  gauges: balanceGauges,
};
