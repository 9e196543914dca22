import type { HistoryTable } from '../kind';

export const TRANSFER_TABLE: HistoryTable = {
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
