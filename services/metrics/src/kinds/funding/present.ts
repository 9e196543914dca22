import type { Registry } from 'prom-client';
import { createGauge } from '../../create-gauge';
import { type DashboardPart, type KindGauges, snapshotItem } from '../kind';
import { latestBySymbol } from '../latest-by-symbol';
import { FUNDING_TABLE } from './columns';

export const FUNDING_ON_DASHBOARD: DashboardPart = {
  field: 'funding',
  item: snapshotItem,
  table: {
    title: 'Funding',
    columns: { symbol: 'Perpetual', rate: 'Rate', mark_price: 'Mark', funding_at: 'Paid at' },
  },
  latest: ({ config, db }, exchange) =>
    latestBySymbol(db, FUNDING_TABLE, exchange, config.perpetuals),
};

export function fundingGauges(registry: Registry): KindGauges {
  const rate = createGauge(
    registry,
    'funding_rate',
    'Share of a position that longs pay to shorts at the next payment; negative when shorts pay.',
    ['symbol'],
  );
  return {
    all: [rate],
    select: `
      SELECT json_agg(json_build_object('symbol', symbol, 'rate', rate::text))
      FROM funding_snapshot JOIN shown ON collection_ref = shown.id`,
    show: (rows: { symbol: string; rate: string }[]) => {
      for (const row of rows) rate.set({ symbol: row.symbol }, Number(row.rate));
    },
  };
}
