import type { Kind } from '../kind';
import { needsAccount } from '../needs-account';
import { BALANCE_TABLE } from './columns';
import { type BalanceRow, gatherBalance } from './gather';
import { BALANCE_ON_DASHBOARD, balanceGauges } from './present';

/** What the account holds, asset by asset, and what it is worth. */
export const BALANCE: Kind<BalanceRow> = {
  ...BALANCE_TABLE,
  component: 'account_balance',
  plan: async (resources) => ({ skip: needsAccount(resources), gather: gatherBalance }),
  store: async ({ tx, common }, seen) => {
    const data = seen.map((row) => ({ ...common, ...row }));
    if (data.length > 0) await tx.balanceSnapshot.createMany({ data });
    return data.map(({ asset }) => asset ?? '');
  },
  dashboard: BALANCE_ON_DASHBOARD,
  gauges: balanceGauges,
};
