/** What history knows of one kind of snapshot; the names are columns and wire names at once. */
export interface Kind {
  table: string;
  /** Column of the time that the history is in order of. */
  time: string;
  /** What tells one series from another; '' stands for the series without a name. */
  key: string;
  filters: readonly ('symbol' | 'asset' | 'grid_id')[];
  /** NUMERIC columns: decimal texts on the wire. */
  decimals: readonly string[];
  /** Numbers that average, minimum and maximum are made of; the first is that of open, high, low, close. */
  measures: readonly string[];
  /** Measures of which every row has one: where they are, rows are or have been. */
  presence: readonly string[];
  label?: string;
}

export const KINDS = {
  balance: {
    table: 'balance_snapshot',
    time: 'captured_at',
    key: "coalesce(t.asset, '')",
    filters: ['asset'],
    decimals: [
      'free',
      'used',
      'total',
      'price_in_quote',
      'value_in_quote',
      'total_equity',
      'quote_free',
    ],
    measures: ['equity', 'total'],
    presence: ['equity', 'total'],
  },
  market: {
    table: 'market_snapshot',
    time: 'captured_at',
    key: 't.symbol',
    filters: ['symbol'],
    decimals: [
      ...['last', 'bid', 'ask', 'mid', 'spread_abs', 'open_24h', 'high_24h', 'low_24h'],
      ...['base_volume_24h', 'quote_volume_24h'],
    ],
    measures: ['last', 'bid', 'ask', 'mid', 'spread_bps'],
    presence: ['last'],
  },
  grid: {
    table: 'grid_snapshot',
    time: 'captured_at',
    key: 't.grid_id',
    filters: ['grid_id', 'symbol'],
    decimals: [
      ...['mark_price', 'bought_quote', 'sold_quote', 'fees_quote', 'inventory_base', 'avg_cost'],
      ...['realised_pnl', 'unrealised_pnl', 'total_pnl'],
    ],
    measures: ['total_pnl', 'realised_pnl', 'unrealised_pnl', 'mark_price', 'inventory_base'],
    presence: ['mark_price'],
  },
  regime: {
    table: 'regime_snapshot',
    time: 'captured_at',
    key: 't.symbol',
    filters: ['symbol'],
    decimals: [],
    measures: ['confidence', 'score_trend', 'score_range', 'score_volatility'],
    presence: ['confidence'],
    label: 'label',
  },
  collection: {
    table: 'collection',
    time: 'started_at',
    key: "''::text",
    filters: [],
    decimals: [],
    measures: ['data_points', 'duration_ms'],
    presence: ['data_points'],
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as [KindName, ...KindName[]];
export const SNAPSHOT_KINDS = ['balance', 'market', 'grid', 'regime'] as const;

/** The expression of a measure; equity stands for the total row's and for an asset's value alike. */
export function measureSql(measure: string): string {
  if (measure === 'equity') return 'coalesce(t.total_equity, t.value_in_quote)::numeric';
  return `t.${measure}::numeric`;
}

/** The public id of the collection of a row, looked up for the rows that are shown only. */
export function collectionIdSql(kind: KindName, row: string): string {
  if (kind === 'collection') return '';
  return `, (SELECT c.collection_id FROM collection c WHERE c.id = ${row}.collection_ref) AS collection_id`;
}
