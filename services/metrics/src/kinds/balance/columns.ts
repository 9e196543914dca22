import type { HistoryTable } from '../kind';

/** One row an asset, and one without an asset for the whole account. */
export const BALANCE_TABLE: HistoryTable = {
  name: 'balance',
  table: 'balance_snapshot',
  time: 'captured_at',
  key: "coalesce(t.asset, '')",
  filters: ['asset'],
  decimals: [
    ...['free', 'used', 'total', 'price_in_quote', 'value_in_quote', 'total_equity'],
    'quote_free',
  ],
  measures: {
    // Of the whole account, or what one asset is worth.
    equity: 'coalesce(t.total_equity, t.value_in_quote)::numeric',
    total: 't.total::numeric',
  },
  presence: ['equity', 'total'],
  ofSeries: (key) => (key === '' ? "t.asset IS NULL AND $1::text = ''" : 't.asset = $1'),
  named: (key) => (key === '' ? { asset: null, total_row: true } : { asset: key }),
  extra: (row) => (row.total_row === true ? { total: true } : {}),
};
