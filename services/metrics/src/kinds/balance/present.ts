import { exchangeSql } from '../../exchange/owner';
import {
  collectionIdSql,
  type DashboardPart,
  type KindGauge,
  type Row,
  snapshotItem,
} from '../kind';
import { createPresenter } from '../present-item';
import { BALANCE_TABLE } from './columns';

export const BALANCE_ON_DASHBOARD: DashboardPart = {
  field: 'balances',
  item: snapshotItem,
  latest: async ({ db }, exchange) => {
    const { rows } = await db.pool.query<Row>(LATEST, [exchange]);
    return rows.map(createPresenter(BALANCE_TABLE));
  },
};

const LATEST = `
  SELECT r.*${collectionIdSql(BALANCE_TABLE, 'r')} FROM balance_snapshot r
  WHERE r.collection_ref = (
    SELECT t.collection_ref FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = $1
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
    AND r.exchange = $1
  ORDER BY r.id`;

const EXCHANGE = exchangeSql('t.exchange');

export const balanceGauges: readonly KindGauge[] = [
  {
    name: 'equity_quote',
    help: 'Equity of the account; absent while an asset has no price.',
    labels: { exchange: EXCHANGE, quote: 't.quote', simulated: 't.simulated::text' },
    value: 'CASE WHEN t.total_row AND t.equity_complete THEN t.total_equity END',
  },
  {
    name: 'equity_complete',
    help: 'One if every asset has a price or counts as zero.',
    labels: { exchange: EXCHANGE },
    value: 'CASE WHEN t.total_row THEN t.equity_complete::int END',
  },
];
