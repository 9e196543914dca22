import { z } from 'zod';
import { timeframeName } from '../candles/timeframe';
import { gridId, moment, queryBoolean, queryInteger, storableText } from '../http/fields';
import { TABLES } from './tables';

export const INTERVAL_MS = {
  raw: 0,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '12h': 43_200_000,
  '1d': 86_400_000,
} as const;

const AGGREGATES = ['last', 'avg', 'min', 'max', 'ohlc'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const historyQuery = z.strictObject({
  kind: z.enum(TABLES.map(({ name }) => name)).optional(),
  symbol: storableText(64).optional(),
  asset: storableText(64).optional(),
  grid_id: gridId.optional(),
  timeframe: timeframeName.optional(),
  collection_id: storableText(128).optional(),
  exchange: storableText(64).optional(),
  account: storableText(32).optional(),
  simulated: queryBoolean.optional(),
  start: moment.optional(),
  end: moment.optional(),
  interval: z.enum(Object.keys(INTERVAL_MS) as [keyof typeof INTERVAL_MS]).default('raw'),
  agg: z.enum(AGGREGATES).default('last'),
  measure: storableText(64)
    .optional()
    .describe('Value to aggregate; by default all, for ohlc the first of the kind.'),
  limit: queryInteger(1, 1000).default(100),
  cursor: storableText(1024).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
});

export type HistoryQuery = z.output<typeof historyQuery>;

const nullableText = z.string().nullable();

export const historyResponse = z.object({
  items: z.array(z.looseObject({ kind: z.string(), exchange: z.string(), simulated: z.boolean() })),
  pagination: z.object({
    limit: z.number(),
    has_more: z.boolean(),
    next_cursor: nullableText,
    current_cursor: nullableText,
  }),
  query: z.looseObject({ start: nullableText, end: nullableText, interval: z.string() }),
  generated_at: z.string(),
});
