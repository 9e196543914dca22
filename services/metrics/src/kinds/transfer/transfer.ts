import { exchangeSql } from '../../exchange/owner';
import { collectionIdSql, type HistoryTable, type Kind, type Row, snapshotItem } from '../kind';
import { createPresenter } from '../present-item';
import { planTransfers, type SeenTransfers } from './gather';
import { storeTransfers } from './store';

const TRANSFER_TABLE: HistoryTable = {
  name: 'transfer',
  table: 'transfer',
  time: 'captured_at',
  key: 't.asset',
  filters: ['asset'],
  ofKey: { asset: 'key' },
  decimals: ['amount', 'fee', 'value_in_quote', 'fee_in_quote'],
  measures: {
    value_in_quote: `(CASE t.type WHEN 'withdrawal' THEN -t.value_in_quote ELSE t.value_in_quote END)::numeric`,
    amount: `(CASE t.type WHEN 'withdrawal' THEN -t.amount ELSE t.amount END)::numeric`,
  },
  presence: ['amount'],
  ofSeries: () => 't.asset = $1',
  named: (asset) => ({ asset }),
};

const SHOWN = 20;

const TRANSFER_SUMS = `(
  SELECT p.exchange, b.quote, p.simulated, CASE WHEN total.quote IS NULL THEN 0 ELSE total.value END AS sum
  FROM shown JOIN balance_snapshot b ON b.collection_ref = shown.id AND b.exchange = shown.owner AND b.total_row
  JOIN transfer_progress p ON p.exchange = b.exchange AND p.simulated = b.simulated
  LEFT JOIN transfer_total total ON total.exchange = p.exchange AND total.simulated = p.simulated
    AND total.quote = b.quote) AS t`;

export const TRANSFER: Kind<SeenTransfers> = {
  ...TRANSFER_TABLE,
  component: 'transfers',
  plan: planTransfers,
  targetOf: () => 'transfers',
  store: storeTransfers,
  dashboard: {
    field: 'transfers',
    item: snapshotItem,
    table: {
      title: 'Deposits and withdrawals',
      columns: {
        type: 'Type',
        asset: 'Asset',
        amount: 'Amount',
        fee: 'Fee',
        status: 'State',
        transferred_at: 'Time',
        value_in_quote: 'Value then',
      },
    },
    latest: async ({ db }, exchange) => {
      const { rows } = await db.pool.query<Row>(
        `SELECT t.*${collectionIdSql(TRANSFER_TABLE, 't')} FROM transfer t WHERE t.exchange = $1
         AND t.simulated = (SELECT simulated FROM transfer_progress WHERE exchange = $1 LIMIT 1)
       ORDER BY t.counted_at DESC, t.id DESC LIMIT ${SHOWN}`,
        [exchange],
      );
      return rows.map(createPresenter(TRANSFER_TABLE));
    },
  },
  gauges: [
    {
      name: 'transfers_quote',
      help: 'Deposits minus withdrawals since the first collection; absent while any has no price.',
      labels: {
        exchange: exchangeSql('t.exchange'),
        quote: 't.quote',
        simulated: 't.simulated::text',
      },
      value: 't.sum',
    },
  ],
  gaugesFrom: TRANSFER_SUMS,
};
