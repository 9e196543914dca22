import type { Pool } from '@switchyard/db';
import { accountSql, exchangeSql } from '../exchange/owner';
import type { HistoryTable } from '../kinds/kind';
import type { HistoryQuery } from './history-query';

const HOUR = 3_600_000;

export interface Series {
  kind: string;
  key: string;
  exchange: string;
  simulated: boolean;
}

export interface Bucket extends Series {
  start: Date;
  rank: number;
}

export async function seriesOf(
  pool: Pool,
  { filters, name, ofKey }: HistoryTable,
  query: HistoryQuery,
): Promise<Series[]> {
  const values: unknown[] = [name];
  const conditions = ['kind = $1'];
  const add = (sql: string, value: unknown) =>
    void (value !== undefined && conditions.push(`${sql} = $${values.push(value)}`));
  add(exchangeSql('exchange'), query.exchange);
  add(accountSql('exchange'), query.account);
  add('simulated', query.simulated);
  for (const filter of filters) add(ofKey[filter] ?? 'key', query[filter]);
  const { rows } = await pool.query<Series>(
    `SELECT kind, key, exchange, simulated FROM series WHERE ${conditions.join(' AND ')}
     ORDER BY key, exchange, simulated`,
    values,
  );
  return rows;
}

export const seriesCondition = (table: HistoryTable, key: string): string =>
  `${table.ofSeries(key)} AND t.exchange = $2 AND t.simulated = $3`;

interface Stretch {
  intervalMs: number;
  from: Date;
  to: Date;
  order: 'asc' | 'desc';
  limit: number;
}

export const binSql = (interval: string, at: string) =>
  `date_bin(${interval} * interval '1 millisecond', ${at}, 'epoch'::timestamptz)`;

async function bucketsOfRows(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  { intervalMs, from, to, order, limit }: Stretch,
): Promise<Date[]> {
  if (from >= to) return [];
  const { time } = table;
  const probe = (low: string, high: string) => `
    SELECT ${binSql('$6', `t.${time}`)} AS start FROM ${table.table} t
    WHERE ${seriesCondition(table, series.key)} AND t.${time} >= ${low} AND t.${time} < ${high}
    ORDER BY t.${time} ${order} LIMIT 1`;
  const next =
    order === 'asc'
      ? probe("walk.start + $6 * interval '1 millisecond'", '$5')
      : probe('$4', 'walk.start');
  const { rows } = await pool.query<{ start: Date }>(
    `WITH RECURSIVE walk AS (
       (${probe('$4', '$5')})
       UNION ALL
       SELECT next.start FROM walk CROSS JOIN LATERAL (${next}) next
     ) SELECT start FROM walk LIMIT $7`,
    [series.key, series.exchange, series.simulated, from, to, intervalMs, limit],
  );
  return rows.map(({ start }) => start);
}

async function bucketsOfHours(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  { intervalMs, from, to, order, limit }: Stretch,
): Promise<Date[]> {
  const { rows } = await pool.query<{ start: Date }>(
    `SELECT DISTINCT ${binSql('$6', 't.hour')} AS start FROM rollup_hour t
     WHERE t.kind = $8 AND t.key = $1 AND t.metric = ANY($9) AND t.exchange = $2
       AND t.simulated = $3 AND t.hour >= $4 AND t.hour < $5
     ORDER BY start ${order} LIMIT $7`,
    [
      ...[series.key, series.exchange, series.simulated, from, to, intervalMs, limit],
      ...[table.name, table.presence],
    ],
  );
  return rows.map(({ start }) => start);
}

/**
 * Returns the next non-empty buckets of a series. `until` is the end of the roll-up: whole hours
 * before it come from the roll-up, all other times from raw rows.
 */
export async function nextBuckets(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  stretch: Stretch,
  until: Date | null,
): Promise<Date[]> {
  const { from, to, intervalMs, order, limit } = stretch;
  if (until === null || intervalMs < HOUR) return bucketsOfRows(pool, table, series, stretch);
  const low = new Date(Math.ceil(+from / HOUR) * HOUR);
  const high = new Date(Math.min(Math.floor(+to / HOUR) * HOUR, +until));
  if (low >= high) return bucketsOfRows(pool, table, series, stretch);
  const found = [
    ...(await bucketsOfRows(pool, table, series, { ...stretch, to: low })),
    ...(await bucketsOfHours(pool, table, series, { ...stretch, from: low, to: high })),
    ...(await bucketsOfRows(pool, table, series, { ...stretch, from: high })),
  ];
  const sign = order === 'asc' ? 1 : -1;
  const times = [...new Set(found.map(Number))].sort((a, b) => sign * (a - b));
  return times.slice(0, limit).map((time) => new Date(time));
}
