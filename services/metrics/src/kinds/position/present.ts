import {
  collectionIdSql,
  type DashboardPart,
  type KindGauge,
  type Row,
  snapshotItem,
} from '../kind';
import { createPresenter } from '../present-item';
import { POSITION_TABLE } from './columns';

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

const gauge = (name: string, help: string, value: string): KindGauge => ({
  name: `position_${name}`,
  help,
  labels: { symbol: 't.symbol', side: 't.side' },
  value,
});

export const positionGauges: readonly KindGauge[] = [
  gauge('value_quote', 'Absolute value of a position in METRICS_QUOTE.', 't.value_in_quote'),
  gauge(
    'unrealised_pnl',
    'Unrealised profit of a position, in its settlement asset.',
    't.unrealised_pnl',
  ),
  gauge(
    'funding_received',
    'Funding received minus funding paid for the symbol.',
    't.funding_received',
  ),
  gauge(
    'liquidation_distance_ratio',
    'Distance from mark price to liquidation price, as a share of the mark price.',
    'abs(t.mark_price - t.liquidation_price) / nullif(t.mark_price, 0)',
  ),
];
