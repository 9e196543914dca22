import type { Registry } from 'prom-client';
import { createGauge } from '../../create-gauge';
import {
  collectionIdSql,
  type DashboardPart,
  type KindGauges,
  type Row,
  snapshotItem,
} from '../kind';
import { createPresenter } from '../present-item';
import { POSITION_TABLE } from './columns';

/** A closed position has no row and must disappear. */
export const POSITIONS_ON_DASHBOARD: DashboardPart = {
  field: 'positions',
  item: snapshotItem,
  table: {
    title: 'Positions',
    columns: {
      symbol: 'Perpetual',
      side: 'Side',
      amount: 'Amount',
      entry_price: 'Entry',
      mark_price: 'Mark',
      unrealised_pnl: 'Unrealised',
      funding_received: 'Funding',
      liquidation_price: 'Liquidation',
    },
  },
  latest: async ({ db }, exchange) => {
    const { rows } = await db.pool.query<Row>(LATEST, [exchange]);
    return rows.map(createPresenter(POSITION_TABLE));
  },
};

const LATEST = `
  SELECT r.*${collectionIdSql(POSITION_TABLE, 'r')} FROM position_snapshot r
  WHERE r.collection_ref = (
    SELECT t.collection_ref FROM position_snapshot t
    WHERE t.exchange = $1 AND t.captured_at >= (
      SELECT max(last_success_at) FROM component_state
      WHERE component = 'perpetual_positions' AND exchange = $1)
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
    AND r.exchange = $1
  ORDER BY r.id`;

interface Shown {
  symbol: string;
  side: string;
  value: string | null;
  profit: string;
  received: string;
  distance: string | null;
}

export function positionGauges(registry: Registry): KindGauges {
  const labels = ['symbol', 'side'] as const;
  const value = createGauge(
    registry,
    'position_value_quote',
    'Value of an open position in METRICS_QUOTE, without a sign.',
    labels,
  );
  const profit = createGauge(
    registry,
    'position_unrealised_pnl',
    'Unrealised profit of an open position, in the asset that it settles in.',
    labels,
  );
  const received = createGauge(
    registry,
    'position_funding_received',
    'What funding brought so far while the symbol was held, less what it cost.',
    labels,
  );
  const distance = createGauge(
    registry,
    'position_liquidation_distance_ratio',
    'Distance of the mark price from the liquidation price, as a share of the mark price.',
    labels,
  );
  return {
    all: [value, profit, received, distance],
    select: `
      SELECT json_agg(json_build_object('symbol', symbol, 'side', side, 'value', value_in_quote::text,
        'profit', unrealised_pnl::text, 'received', funding_received::text,
        'distance', (abs(mark_price - liquidation_price) / nullif(mark_price, 0))::text))
      FROM position_snapshot JOIN shown ON collection_ref = shown.id AND position_snapshot.exchange = shown.owner`,
    show: (rows: Shown[], of) => {
      for (const row of rows) {
        const { symbol, side } = row;
        if (row.value !== null) value.set({ ...of, symbol, side }, Number(row.value));
        profit.set({ ...of, symbol, side }, Number(row.profit));
        if (row.distance !== null) distance.set({ ...of, symbol, side }, Number(row.distance));
        received.set({ ...of, symbol, side }, Number(row.received));
      }
    },
  };
}
