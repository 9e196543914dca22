import type { Pool } from '@switchyard/db';
import { decimal, decimalText } from '../decimal';
import { collectionIdSql, type HistoryTable, type Item, type Row } from '../kinds/kind';
import { createPresenter } from '../kinds/present-item';
import { binSql, type Series, seriesCondition } from './buckets';
import type { Aggregate } from './history-query';

export interface Span {
  start: Date;
  from: Date;
  to: Date;
}

const seriesValues = ({ key, exchange, simulated }: Series) => [key, exchange, simulated];

export async function lastRows(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  spans: readonly Span[],
): Promise<Map<number, Item>> {
  const { time } = table;
  const values = table.presence.map((measure) => table.measures[measure]);
  const isKnown = values.length > 0 ? `AND coalesce(${values.join(', ')}) IS NOT NULL` : '';
  const { rows } = await pool.query<Row>(
    `SELECT s.start AS bucket_start, r.*${collectionIdSql(table, 'r')}
     FROM unnest($4::timestamptz[], $5::timestamptz[], $6::timestamptz[]) AS s (start, low, high)
     CROSS JOIN LATERAL (
       SELECT * FROM ${table.table} t
       WHERE ${seriesCondition(table, series.key)} AND t.${time} >= s.low AND t.${time} < s.high ${isKnown}
       ORDER BY t.${time} DESC, t.id DESC LIMIT 1
     ) r`,
    [
      ...seriesValues(series),
      spans.map((span) => span.start),
      spans.map((span) => span.from),
      spans.map((span) => span.to),
    ],
  );
  const present = createPresenter(table);
  return new Map(rows.map((row) => [(row.bucket_start as Date).getTime(), present(row)] as const));
}

export interface Sums {
  start: Date;
  metric: string;
  samples: number;
  sum: string;
  min: string;
  max: string;
  first: string | null;
  last: string | null;
}

export interface SumsWanted {
  measures: readonly string[];
  withEnds: boolean;
  intervalMs: number;
}

const limitsOf = (spans: readonly Span[]) => [
  new Date(Math.min(...spans.map((span) => +span.from))),
  new Date(Math.max(...spans.map((span) => +span.to))),
];

const ends = (first: string, last: string, up: string, down: string, isWanted: boolean) =>
  isWanted
    ? `(array_agg(${first} ORDER BY ${up}))[1]::text AS first,
       (array_agg(${last} ORDER BY ${down}))[1]::text AS last`
    : 'NULL AS first, NULL AS last';

export async function rowSums(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  spans: readonly Span[],
  { measures, withEnds, intervalMs }: SumsWanted,
): Promise<Sums[]> {
  if (spans.length === 0) return [];
  const { time } = table;
  const values = measures.map((measure) => `('${measure}', ${table.measures[measure]})`).join(', ');
  const down = `t.${time} DESC, t.id DESC`;
  const { rows } = await pool.query<Sums>(
    `SELECT ${binSql('$6', `t.${time}`)} AS start, m.metric, count(*)::int AS samples,
       sum(m.value)::text AS sum, min(m.value)::text AS min, max(m.value)::text AS max,
       ${ends('m.value', 'm.value', `t.${time}, t.id`, down, withEnds)}
     FROM ${table.table} t CROSS JOIN LATERAL (VALUES ${values}) AS m (metric, value)
     WHERE ${seriesCondition(table, series.key)} AND t.${time} >= $4 AND t.${time} < $5
       AND m.value IS NOT NULL GROUP BY 1, 2`,
    [...seriesValues(series), ...limitsOf(spans), intervalMs],
  );
  return onlyOf(spans, rows);
}

export async function hourSums(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  spans: readonly Span[],
  { measures, withEnds, intervalMs }: SumsWanted,
): Promise<Sums[]> {
  if (spans.length === 0) return [];
  const { rows } = await pool.query<Sums>(
    `SELECT ${binSql('$6', 't.hour')} AS start, t.metric, sum(t.samples)::int AS samples,
       sum(t.sum)::text AS sum, min(t.min)::text AS min, max(t.max)::text AS max,
       ${ends('t.first', 't.last', 't.hour', 't.hour DESC', withEnds)}
     FROM rollup_hour t
     WHERE t.kind = $7 AND t.key = $1 AND t.exchange = $2 AND t.simulated = $3
       AND t.hour >= $4 AND t.hour <= $5::timestamptz - interval '1 hour' AND t.metric = ANY($8) GROUP BY 1, 2`,
    [...seriesValues(series), ...limitsOf(spans), intervalMs, table.name, measures],
  );
  return onlyOf(spans, rows);
}

function onlyOf<One extends { start: Date }>(spans: readonly Span[], rows: One[]): One[] {
  const starts = new Set(spans.map((span) => +span.start));
  return rows.filter((row) => starts.has(+row.start));
}

export async function labelCounts(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  spans: readonly Span[],
  intervalMs: number,
): Promise<Map<number, Record<string, number>>> {
  const { label } = table;
  if (!label || spans.length === 0) return new Map();
  const { rows } = await pool.query<{ start: Date; label: string; samples: number }>(
    `SELECT ${binSql('$6', 't.captured_at')} AS start, t.${label} AS label, count(*)::int AS samples
     FROM ${table.table} t
     WHERE ${seriesCondition(table, series.key)} AND t.captured_at >= $4 AND t.captured_at < $5
     GROUP BY 1, 2 ORDER BY 2`,
    [...seriesValues(series), ...limitsOf(spans), intervalMs],
  );
  const counts = new Map<number, Record<string, number>>();
  for (const row of rows) {
    const of = counts.get(row.start.getTime()) ?? {};
    counts.set(row.start.getTime(), { ...of, [row.label]: row.samples });
  }
  return counts;
}

export function presentSums(
  { agg, measure }: { agg: Aggregate; measure?: string | undefined },
  table: HistoryTable,
  sums: readonly Sums[],
): Row {
  if (agg === 'ohlc') {
    const wanted = measure ?? Object.keys(table.measures)[0];
    const main = sums.find((one) => one.metric === wanted);
    if (!main) return {};
    const { first, max, min, last } = main;
    return {
      measure: main.metric,
      open: decimalText(first ?? 0),
      high: decimalText(max),
      low: decimalText(min),
      close: decimalText(last ?? 0),
    };
  }
  const value = (one: Sums) => {
    if (agg === 'min') return one.min;
    if (agg === 'max') return one.max;
    return agg === 'avg' ? averageOf(one) : (one.last ?? 0);
  };
  return Object.fromEntries(sums.map((one) => [one.metric, decimalText(value(one))]));
}

function averageOf({ sum, samples }: Sums): string {
  return decimalText(decimal(sum).div(samples));
}
