import { insertRows } from '../insert-rows';
import type { Kind } from '../kind';
import { needsPerpetuals } from '../skips';
import { FUNDING_TABLE } from './columns';
import { type FundingRow, gatherFunding } from './gather';
import { FUNDING_ON_DASHBOARD, fundingGauges } from './present';

export const FUNDING: Kind<FundingRow> = {
  ...FUNDING_TABLE,
  component: 'funding_rates',
  plan: async (resources) => ({ skip: needsPerpetuals(resources), gather: gatherFunding }),
  targetOf: ({ symbol }) => symbol,
  store: async (storing, seen) => {
    await insertRows(storing, FUNDING_TABLE.table, seen);
    return seen.map(({ symbol }) => symbol);
  },
  dashboard: FUNDING_ON_DASHBOARD,
  gauges: fundingGauges,
};
