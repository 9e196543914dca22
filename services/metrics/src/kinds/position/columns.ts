import { columnMeasures, type HistoryTable } from '../kind';

export const positionKey = (symbol: string, side: string): string => `${symbol} ${side}`;

export const POSITION_TABLE: HistoryTable = {
  name: 'position',
  table: 'position_snapshot',
  time: 'captured_at',
  key: "t.symbol || ' ' || t.side",
  filters: ['symbol'],
  ofKey: { symbol: "split_part(key, ' ', 1)" },
  decimals: [
    ...['amount', 'entry_price', 'mark_price', 'liquidation_price', 'unrealised_pnl'],
    ...['initial_margin', 'maintenance_margin', 'leverage', 'value_in_quote'],
    ...['unrealised_in_quote', 'funding_received'],
  ],
  measures: columnMeasures(
    ...['unrealised_pnl', 'amount', 'value_in_quote', 'mark_price', 'funding_received'],
  ),
  presence: ['amount'],
  ofSeries: () => "t.symbol = split_part($1, ' ', 1) AND t.side = split_part($1, ' ', 2)",
  named: (key) => {
    const [symbol, side] = key.split(' ');
    return { symbol, side };
  },
};
