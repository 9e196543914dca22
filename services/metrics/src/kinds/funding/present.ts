import { type DashboardPart, type KindGauge, snapshotItem } from '../kind';
import { latestBySymbol } from '../latest-by-symbol';
import { FUNDING_TABLE } from './columns';

export const FUNDING_ON_DASHBOARD: DashboardPart = {
  field: 'funding',
  item: snapshotItem,
  table: {
    title: 'Funding',
    columns: { symbol: 'Perpetual', rate: 'Rate', mark_price: 'Mark', funding_at: 'Paid at' },
  },
  latest: (resources, exchange) =>
    latestBySymbol(resources, FUNDING_TABLE, exchange, resources.config.perpetuals),
};

export const fundingGauges: readonly KindGauge[] = [
  {
    name: 'funding_rate',
    help: 'Share of a position that longs pay to shorts at the next payment; negative when shorts pay.',
    labels: { symbol: 't.symbol' },
    value: 't.rate',
  },
];
