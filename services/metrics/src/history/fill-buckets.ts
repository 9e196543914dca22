import type { Pool } from '@switchyard/db';
import { decimal, decimalText } from '../decimal';
import { type Series, seriesCondition } from './buckets';
import type { Aggregate } from './history-query';
import { KINDS, type Kind, type KindName, measureSql } from './kinds';
import { presentItem, type Row } from './present-item';

/** One bucket, cut to the window that was asked for. */
export interface Span {
  start: Date;
  from: Date;
  to: Date;
}

const seriesValues = ({ key, exchange, simulated }: Series) => [key, exchange, simulated];

const SPANS =
  'unnest($4::timestamptz[], $5::timestamptz[], $6::timestamptz[]) AS s (start, low, high)';

const spanValues = (spans: readonly Span[]) => [
  spans.map((span) => span.start),
  spans.map((span) => span.from),
  spans.map((span) => span.to),
];

/** The last row of each bucket, by one index probe. */
export async function lastRows(
  pool: Pool,
  kind: KindName,
  series: Series,
  spans: readonly Span[],
): Promise<Map<number, Row>> {
  const { table, time } = KINDS[kind];
  const isSnapshot = kind !== 'collection';
  const { rows } = await pool.query<Row>(
    `SELECT s.start AS bucket_start, r.*${isSnapshot ? ', c.collection_id' : ''} FROM ${SPANS}
     CROSS JOIN LATERAL (
       SELECT * FROM ${table} t
       WHERE ${seriesCondition(kind, series.key)} AND t.${time} >= s.low AND t.${time} < s.high
       ORDER BY t.${time} DESC, t.id DESC LIMIT 1
     ) r ${isSnapshot ? 'JOIN collection c ON c.id = r.collection_ref' : ''}`,
    [...seriesValues(series), ...spanValues(spans)],
  );
  return new Map(
    rows.map((row) => [(row.bucket_start as Date).getTime(), presentItem(kind, row)] as const),
  );
}

/** Sums of each bucket and measure; from the hours where they are complete, else from the rows. */
export interface Sums {
  start: Date;
  metric: string;
  samples: number;
  sum: string;
  min: string;
  max: string;
  first: string;
  last: string;
}

export async function rowSums(
  pool: Pool,
  kind: KindName,
  series: Series,
  spans: readonly Span[],
  measures: readonly string[],
): Promise<Sums[]> {
  if (spans.length === 0) return [];
  const { table, time }: Kind = KINDS[kind];
  const values = measures.map((measure) => `('${measure}', ${measureSql(measure)})`).join(', ');
  const order = `ORDER BY t.${time}, t.id`;
  const { rows } = await pool.query<Sums>(
    `SELECT s.start, m.metric, count(m.value)::int AS samples, sum(m.value)::text AS sum,
       min(m.value)::text AS min, max(m.value)::text AS max,
       (array_agg(m.value ${order}))[1]::text AS first,
       (array_agg(m.value ${order.replaceAll(',', ' DESC,')} DESC))[1]::text AS last
     FROM ${SPANS}
     JOIN ${table} t ON ${seriesCondition(kind, series.key)} AND t.${time} >= s.low AND t.${time} < s.high
     CROSS JOIN LATERAL (VALUES ${values}) AS m (metric, value)
     WHERE m.value IS NOT NULL GROUP BY s.start, m.metric`,
    [...seriesValues(series), ...spanValues(spans)],
  );
  return rows;
}

export async function hourSums(
  pool: Pool,
  kind: KindName,
  series: Series,
  spans: readonly Span[],
  measures: readonly string[],
): Promise<Sums[]> {
  if (spans.length === 0) return [];
  const { rows } = await pool.query<Sums>(
    `SELECT s.start, t.metric, sum(t.samples)::int AS samples, sum(t.sum)::text AS sum,
       min(t.min)::text AS min, max(t.max)::text AS max,
       (array_agg(t.first ORDER BY t.hour))[1]::text AS first,
       (array_agg(t.last ORDER BY t.hour DESC))[1]::text AS last
     FROM ${SPANS}
     JOIN rollup_hour t ON t.kind = $7 AND t.key = $1 AND t.exchange = $2 AND t.simulated = $3
       AND t.hour >= s.low AND t.hour < s.high AND t.metric = ANY($8)
     GROUP BY s.start, t.metric`,
    [...seriesValues(series), ...spanValues(spans), kind, measures],
  );
  return rows;
}

/** How often each label was seen in each bucket. */
export async function labelCounts(
  pool: Pool,
  kind: KindName,
  series: Series,
  spans: readonly Span[],
): Promise<Map<number, Record<string, number>>> {
  const { table, label }: Kind = KINDS[kind];
  if (!label || spans.length === 0) return new Map();
  const { rows } = await pool.query<{ start: Date; label: string; samples: number }>(
    `SELECT s.start, t.${label} AS label, count(*)::int AS samples FROM ${SPANS}
     JOIN ${table} t ON ${seriesCondition(kind, series.key)} AND t.captured_at >= s.low AND t.captured_at < s.high
     GROUP BY s.start, t.${label} ORDER BY t.${label}`,
    [...seriesValues(series), ...spanValues(spans)],
  );
  const counts = new Map<number, Record<string, number>>();
  for (const row of rows) {
    const of = counts.get(row.start.getTime()) ?? {};
    counts.set(row.start.getTime(), { ...of, [row.label]: row.samples });
  }
  return counts;
}

/** The values of one bucket as its aggregate shows them. */
export function presentSums(agg: Aggregate, kind: KindName, sums: readonly Sums[]): Row {
  const { measures }: Kind = KINDS[kind];
  if (agg === 'ohlc') {
    const main = sums.find((one) => one.metric === measures[0]);
    if (!main) return {};
    const { first, max, min, last } = main;
    return {
      measure: main.metric,
      open: decimalText(first),
      high: decimalText(max),
      low: decimalText(min),
      close: decimalText(last),
    };
  }
  const value = (one: Sums) => {
    if (agg === 'min') return one.min;
    if (agg === 'max') return one.max;
    return agg === 'avg' ? averageOf(one) : one.last;
  };
  return Object.fromEntries(sums.map((one) => [one.metric, decimalText(value(one))]));
}

function averageOf({ sum, samples }: Sums): string {
  return decimalText(decimal(sum).div(samples));
}
