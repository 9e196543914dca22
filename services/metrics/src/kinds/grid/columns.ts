import { columnMeasures, type HistoryTable } from '../kind';

export const GRID_TABLE: HistoryTable = {
  name: 'grid',
  table: 'grid_snapshot',
  time: 'captured_at',
  key: 't.grid_id',
  filters: ['grid_id', 'symbol'],
  ofKey: { grid_id: 'key', symbol: '(SELECT symbol FROM grid WHERE grid_id = key)' },
  decimals: [
    ...['mark_price', 'bought_quote', 'sold_quote', 'fees_quote', 'inventory_base', 'avg_cost'],
    ...['realised_pnl', 'unrealised_pnl', 'total_pnl', 'grid_profit', 'inventory_result'],
    'fees_total',
  ],
  measures: columnMeasures(
    ...['total_pnl', 'realised_pnl', 'unrealised_pnl', 'mark_price', 'inventory_base'],
    ...['grid_profit', 'inventory_result', 'fees_total'],
  ),
  presence: ['mark_price'],
  ofSeries: () => 't.grid_id = $1',
  named: (gridId) => ({ grid_id: gridId }),
};
