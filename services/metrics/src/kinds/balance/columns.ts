import { optionalDecimalText } from '../../decimal';
import type { HistoryTable, Row } from '../kind';

const equityOf = ({ total_equity: whole, value_in_quote: worth }: Row) =>
  optionalDecimalText((whole ?? worth) as string | null);

export const BALANCE_TABLE: HistoryTable = {
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
