import { optionalDecimalText } from '../../decimal';
import { exchangeSql } from '../../exchange/owner';
import { insertRows } from '../insert-rows';
import { collectionIdSql, type HistoryTable, type Kind, type Row, snapshotItem } from '../kind';
import { createPresenter } from '../present-item';
import { needsAccount } from '../skips';
import { type BalanceRow, gatherBalance } from './gather';

const equityOf = ({ total_equity: whole, value_in_quote: worth }: Row) =>
  optionalDecimalText((whole ?? worth) as string | null);

const BALANCE_TABLE: HistoryTable = {
  name: 'balance',
  table: 'balance_snapshot',
  time: 'captured_at',
  key: "coalesce(t.asset, '')",
  filters: ['asset'],
  ofKey: { asset: 'key' },
  decimals: [
    ...['free', 'used', 'total', 'price_in_quote', 'value_in_quote', 'total_equity'],
    ...['priced_equity', 'margin_equity', 'unrealised_pnl', 'quote_free'],
  ],
  measures: {
    equity: 'coalesce(t.total_equity, t.value_in_quote)::numeric',
    total: 't.total::numeric',
    priced_equity: 't.priced_equity::numeric',
    unrealised_pnl: 't.unrealised_pnl::numeric',
  },
  presence: ['equity', 'total'],
  ofSeries: (key) => (key === '' ? "t.asset IS NULL AND $1::text = ''" : 't.asset = $1'),
  named: (key) => (key === '' ? { asset: null, total_row: true } : { asset: key }),
  extra: (row) => ({
    equity: equityOf(row),
    ...(row.total_row === true && { total: true }),
  }),
};

const LATEST = `
  SELECT r.*${collectionIdSql(BALANCE_TABLE, 'r')} FROM balance_snapshot r
  WHERE r.collection_ref = (
    SELECT t.collection_ref FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = $1
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
    AND r.exchange = $1
  ORDER BY r.id`;

const EXCHANGE = exchangeSql('t.exchange');

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
  dashboard: {
    field: 'balances',
    item: snapshotItem,
    latest: async ({ db }, exchange) => {
      const { rows } = await db.pool.query<Row>(LATEST, [exchange]);
      return rows.map(createPresenter(BALANCE_TABLE));
    },
  },
  gauges: [
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
  ],
};
