import { columnMeasures, type HistoryTable } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';

const COLLECTION_TABLE: HistoryTable = {
  name: 'collection',
  table: 'collection',
  time: 'started_at',
  key: "''::text",
  filters: [],
  ofKey: {},
  decimals: [],
  measures: columnMeasures('data_points', 'duration_ms'),
  presence: ['data_points'],
  ofSeries: () => "$1::text = ''",
  named: () => ({}),
  extra: (row) => ({ captured_at: (row.started_at as Date).toISOString() }),
};

export const TABLES: readonly HistoryTable[] = [...KINDS, COLLECTION_TABLE];
