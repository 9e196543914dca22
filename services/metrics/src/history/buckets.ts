import type { Pool } from '@switchyard/db';
import type { HistoryQuery } from './history-query';
import { KINDS, type KindName } from './kinds';

const HOUR = 3_600_000;

export interface Series {
  kind: string;
  key: string;
  exchange: string;
  simulated: boolean;
}

/** A series that is not empty in a bucket; `rank` is the place of its series. */
export interface Bucket extends Series {
  start: Date;
  rank: number;
}

/** The series that a query is about; simulated and live ones, and exchanges, are never mixed. */
export async function seriesOf(pool: Pool, kind: KindName, query: HistoryQuery): Promise<Series[]> {
  const values: unknown[] = [kind];
  const conditions = ['kind = $1'];
  const add = (column: string, value: unknown) =>
    void (value !== undefined && conditions.push(`${column} = $${values.push(value)}`));
  add('exchange', query.exchange);
  add('simulated', query.simulated);
  add('key', query.asset ?? query.grid_id ?? (kind === 'grid' ? undefined : query.symbol));
  if (kind === 'grid' && query.symbol !== undefined) {
    const symbol = `$${values.push(query.symbol)}`;
    conditions.push(`key IN (SELECT grid_id FROM grid WHERE symbol = ${symbol})`);
  }
  const { rows } = await pool.query<Series>(
    `SELECT kind, key, exchange, simulated FROM series WHERE ${conditions.join(' AND ')}
     ORDER BY key, exchange, simulated`,
    values,
  );
  return rows;
}

/** Rows of one series; `$1` to `$3` are its key, exchange and mark. */
export function seriesCondition(kind: KindName, key: string): string {
  const own = 't.exchange = $2 AND t.simulated = $3';
  if (kind === 'balance' && key === '') return `t.asset IS NULL AND $1::text = '' AND ${own}`;
  if (kind === 'balance') return `t.asset = $1 AND ${own}`;
  if (kind === 'collection') return `$1::text = '' AND ${own}`;
  return `${kind === 'grid' ? 't.grid_id' : 't.symbol'} = $1 AND ${own}`;
}

/**
 * The next buckets of a series that hold anything, found by one index probe each: empty stretches and the
 * rows inside a bucket cost nothing. Hours whose rows were deleted are found in the roll-up.
 */
export async function nextBuckets(
  pool: Pool,
  kind: KindName,
  series: Series,
  options: { intervalMs: number; from: Date; to: Date; order: 'asc' | 'desc'; limit: number },
): Promise<Date[]> {
  const { table, time, measures } = KINDS[kind];
  const isUp = options.order === 'asc';
  const bucket = (at: string) =>
    `date_bin($6 * interval '1 millisecond', ${at}, 'epoch'::timestamptz)`;
  const rows = (from: string, to: string) => `
    SELECT ${bucket(`t.${time}`)} AS start FROM ${table} t
    WHERE ${seriesCondition(kind, series.key)} AND t.${time} >= ${from} AND t.${time} < ${to}
    ORDER BY t.${time} ${options.order} LIMIT 1`;
  const hours = (from: string, to: string) => `
    SELECT ${bucket('t.hour')} AS start FROM rollup_hour t
    WHERE t.kind = '${kind}' AND t.key = $1 AND t.metric = '${measures[0]}' AND t.exchange = $2
      AND t.simulated = $3 AND t.hour >= ${from} AND t.hour < ${to}
    ORDER BY t.hour ${options.order} LIMIT 1`;
  const probe = (from: string, to: string) =>
    options.intervalMs < HOUR
      ? rows(from, to)
      : `SELECT * FROM ((${rows(from, to)}) UNION ALL (${hours(from, to)})) AS both_ways
         ORDER BY start ${options.order} LIMIT 1`;
  const found = await pool.query<{ start: Date }>(
    `WITH RECURSIVE walk AS (
       (${probe('$4', '$5')})
       UNION ALL
       SELECT next.start FROM walk CROSS JOIN LATERAL (
         ${isUp ? probe("walk.start + $6 * interval '1 millisecond'", '$5') : probe('$4', 'walk.start')}
       ) next
     ) SELECT start FROM walk LIMIT $7`,
    [
      series.key,
      series.exchange,
      series.simulated,
      options.from,
      options.to,
      options.intervalMs,
      options.limit,
    ],
  );
  return found.rows.map(({ start }) => start);
}
