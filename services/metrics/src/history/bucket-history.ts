import type { Pool } from '@switchyard/db';
import { type Bucket, nextBuckets, type Series, seriesOf } from './buckets';
import {
  hourSums,
  labelCounts,
  lastRows,
  presentSums,
  rowSums,
  type Span,
  type Sums,
} from './fill-buckets';
import { type HistoryQuery, INTERVAL_MS } from './history-query';
import { KINDS, type Kind, type KindName } from './kinds';
import type { Row } from './present-item';
import type { Page } from './raw-history';

const HOUR = 3_600_000;

interface Bounds {
  start: Date;
  end: Date;
}

/** The page's buckets over all series, in order of time and then of series. */
async function pageOfBuckets(
  pool: Pool,
  kind: KindName,
  query: HistoryQuery,
  { start, end }: Bounds,
  after: { at: number; tie: string } | null,
): Promise<Bucket[]> {
  const intervalMs = INTERVAL_MS[query.interval];
  const isUp = query.order === 'asc';
  const all: Bucket[] = [];
  for (const [rank, series] of (await seriesOf(pool, kind, query)).entries()) {
    const isPast = after !== null && rank <= Number(after.tie);
    let from = start;
    let to = end;
    if (after && isUp) from = new Date(Math.max(+start, after.at + (isPast ? intervalMs : 0)));
    if (after && !isUp) to = new Date(Math.min(+end, after.at + (isPast ? 0 : intervalMs)));
    const options = { intervalMs, from, to, order: query.order, limit: query.limit + 1 };
    const starts = await nextBuckets(pool, kind, series, options);
    all.push(...starts.map((at) => ({ ...series, start: at, rank })));
  }
  const sign = isUp ? 1 : -1;
  return all.sort((a, b) => sign * (+a.start - +b.start) || a.rank - b.rank);
}

/** Hours before this are complete in the roll-up; null when there is none. */
async function rolledUntil(pool: Pool, kind: KindName): Promise<Date | null> {
  const { rows } = await pool.query<{ complete_until: Date }>(
    'SELECT complete_until FROM rollup_progress WHERE kind = $1',
    [kind],
  );
  return rows[0]?.complete_until ?? null;
}

/** True when the hours of the roll-up cover the span exactly. */
const isRolled = (span: Span, intervalMs: number, until: Date | null) =>
  until !== null &&
  intervalMs >= HOUR &&
  +span.from % HOUR === 0 &&
  +span.to % HOUR === 0 &&
  span.to <= until;

async function sumsOf(
  pool: Pool,
  kind: KindName,
  series: Series,
  spans: readonly Span[],
  query: HistoryQuery,
  until: Date | null,
): Promise<Sums[]> {
  const { measures }: Kind = KINDS[kind];
  const needed = ['last', 'ohlc'].includes(query.agg) ? measures.slice(0, 1) : measures;
  const rolled = spans.filter((span) => isRolled(span, INTERVAL_MS[query.interval], until));
  const rest = spans.filter((span) => !rolled.includes(span));
  return [
    ...(await hourSums(pool, kind, series, rolled, needed)),
    ...(await rowSums(pool, kind, series, rest, needed)),
  ];
}

async function fillSeries(
  pool: Pool,
  kind: KindName,
  query: HistoryQuery,
  { start, end }: Bounds,
  buckets: readonly Bucket[],
  until: Date | null,
): Promise<Map<number, Row>> {
  const series = buckets[0] as Bucket;
  const intervalMs = INTERVAL_MS[query.interval];
  const spans = buckets.map((bucket) => ({
    start: bucket.start,
    from: new Date(Math.max(+bucket.start, +start)),
    to: new Date(Math.min(+bucket.start + intervalMs, +end)),
  }));
  const sums = await sumsOf(pool, kind, series, spans, query, until);
  const lasts =
    query.agg === 'last' || kind === 'regime' ? await lastRows(pool, kind, series, spans) : null;
  const labels = await labelCounts(pool, kind, series, spans);
  const deleted = lasts ? spans.filter((span) => !lasts.has(+span.start)) : [];
  const remains = await hourSums(pool, kind, series, deleted, KINDS[kind].measures);
  const items = new Map<number, Row>();
  for (const span of spans) {
    const at = +span.start;
    const own = sums.filter((one) => +one.start === at);
    const last = lasts?.get(at);
    const { exchange, simulated, key } = series;
    const shown = query.agg === 'last' ? remains.filter((one) => +one.start === at) : own;
    const isRow = query.agg === 'last' && last !== undefined;
    items.set(at, {
      ...(isRow ? last : { kind, exchange, simulated, ...named(kind, key) }),
      ...(!isRow && presentSums(query.agg, kind, shown)),
      ...(labels.has(at) && { label: last?.label, label_counts: labels.get(at) }),
      bucket_start: span.start.toISOString(),
      samples: Math.max(0, ...own.map((one) => one.samples)),
    });
  }
  return items;
}

function named(kind: KindName, key: string): Row {
  if (kind === 'balance') return key === '' ? { asset: null, total_row: true } : { asset: key };
  if (kind === 'grid') return { grid_id: key };
  return kind === 'collection' ? {} : { symbol: key };
}

/** Buckets that hold something; an empty one is absent, never zero (design, 3.10). */
export async function bucketHistory(
  pool: Pool,
  kind: KindName,
  query: HistoryQuery,
  bounds: Bounds,
  after: { at: number; tie: string } | null,
): Promise<Page> {
  const all = await pageOfBuckets(pool, kind, query, bounds, after);
  const shown = all.slice(0, query.limit);
  const until = await rolledUntil(pool, kind);
  const filled = new Map<number, Map<number, Row>>();
  for (const rank of new Set(shown.map((bucket) => bucket.rank))) {
    const own = shown.filter((bucket) => bucket.rank === rank);
    filled.set(rank, await fillSeries(pool, kind, query, bounds, own, until));
  }
  const last = shown.at(-1);
  return {
    items: shown.map((bucket) => filled.get(bucket.rank)?.get(+bucket.start) as Row),
    next: all.length > query.limit && last ? { at: +last.start, tie: String(last.rank) } : null,
  };
}
