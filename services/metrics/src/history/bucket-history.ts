import type { Pool } from '@switchyard/db';
import { presentOwner } from '../exchange/owner';
import type { HistoryTable, Item } from '../kinds/kind';
import { type Bucket, nextBuckets, type Series, seriesOf } from './buckets';
import {
  hourSums,
  labelCounts,
  lastRows,
  presentSums,
  rowSums,
  type Span,
  type Sums,
  type SumsWanted,
} from './fill-buckets';
import { type HistoryQuery, INTERVAL_MS } from './history-query';
import type { Page } from './raw-history';

const HOUR = 3_600_000;
const GAP_MS = 24 * HOUR;

interface Bounds {
  start: Date;
  end: Date;
}

export async function bucketHistory(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
  bounds: Bounds,
  after: { at: number; tie: string } | null,
): Promise<Page> {
  const until = await rolledUntil(pool, table);
  const all = await pageOfBuckets(pool, table, query, bounds, after, until);
  const shown = all.slice(0, query.limit);
  const filled = new Map<number, Map<number, Item>>();
  for (const rank of new Set(shown.map((bucket) => bucket.rank))) {
    const own = shown.filter((bucket) => bucket.rank === rank);
    filled.set(rank, await fillSeries(pool, table, query, bounds, own, until));
  }
  const last = shown.at(-1);
  return {
    items: shown.flatMap((bucket) => filled.get(bucket.rank)?.get(+bucket.start) ?? []),
    next: all.length > query.limit && last ? { at: +last.start, tie: String(last.rank) } : null,
  };
}

async function pageOfBuckets(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
  { start, end }: Bounds,
  after: { at: number; tie: string } | null,
  until: Date | null,
): Promise<Bucket[]> {
  const intervalMs = INTERVAL_MS[query.interval];
  const isUp = query.order === 'asc';
  const all: Bucket[] = [];
  for (const [rank, series] of (await seriesOf(pool, table, query)).entries()) {
    const isPast = after !== null && rank <= Number(after.tie);
    let from = start;
    let to = end;
    if (after && isUp) from = new Date(Math.max(+start, after.at + (isPast ? intervalMs : 0)));
    if (after && !isUp) to = new Date(Math.min(+end, after.at + (isPast ? 0 : intervalMs)));
    const options = { intervalMs, from, to, order: query.order, limit: query.limit + 1 };
    const starts = await nextBuckets(pool, table, series, options, until);
    all.push(...starts.map((at) => ({ ...series, start: at, rank })));
  }
  const sign = isUp ? 1 : -1;
  return all.sort((a, b) => sign * (+a.start - +b.start) || a.rank - b.rank);
}

async function rolledUntil(pool: Pool, { name }: HistoryTable): Promise<Date | null> {
  const { rows } = await pool.query<{ complete_until: Date }>(
    'SELECT complete_until FROM rollup_progress WHERE kind = $1',
    [name],
  );
  return rows[0]?.complete_until ?? null;
}

const isRolled = (span: Span, intervalMs: number, until: Date | null) =>
  until !== null &&
  intervalMs >= HOUR &&
  +span.from % HOUR === 0 &&
  +span.to % HOUR === 0 &&
  span.to <= until;

async function sumsOf(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  spans: readonly Span[],
  query: HistoryQuery,
  until: Date | null,
): Promise<Sums[]> {
  const { presence } = table;
  const measures = Object.keys(table.measures);
  const byAggregate = { last: presence, ohlc: measures.slice(0, 1) };
  const ofAggregate = byAggregate[query.agg as keyof typeof byAggregate] ?? measures;
  const wanted = {
    measures: query.measure === undefined ? ofAggregate : [query.measure],
    withEnds: query.agg === 'ohlc',
    intervalMs: INTERVAL_MS[query.interval],
  };
  const isOfHours = (span: Span) => isRolled(span, wanted.intervalMs, until);
  const rolled = spans.filter(isOfHours);
  const rest = spans.filter((span) => !isOfHours(span));
  const ofRows = await sumsOfRest(pool, table, series, rest, wanted);
  const found = new Set(ofRows.map(({ start }) => +start));
  const deleted = rest.filter((span) => !found.has(+span.start) && wanted.intervalMs >= HOUR);
  return [
    ...(await hourSums(pool, table, series, rolled, wanted)),
    ...ofRows,
    ...(await hourSums(pool, table, series, deleted, wanted)),
  ];
}

async function sumsOfRest(
  pool: Pool,
  table: HistoryTable,
  series: Series,
  rest: readonly Span[],
  wanted: SumsWanted,
): Promise<Sums[]> {
  const ordered = [...rest].sort((a, b) => +a.start - +b.start);
  const gap = ordered.findIndex(
    (span, index) => index > 0 && +span.from > +(ordered[index - 1] as Span).to + GAP_MS,
  );
  const parts = gap === -1 ? [ordered] : [ordered.slice(0, gap), ordered.slice(gap)];
  const sums = await Promise.all(parts.map((part) => rowSums(pool, table, series, part, wanted)));
  return sums.flat();
}

function byStart(sums: readonly Sums[]): Map<number, Sums[]> {
  const found = new Map<number, Sums[]>();
  for (const one of sums) {
    const own = found.get(+one.start);
    if (own) own.push(one);
    else found.set(+one.start, [one]);
  }
  return found;
}

async function fillSeries(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
  { start, end }: Bounds,
  buckets: readonly Bucket[],
  until: Date | null,
): Promise<Map<number, Item>> {
  const series = buckets[0] as Bucket;
  const intervalMs = INTERVAL_MS[query.interval];
  const spans = buckets.map((bucket) => ({
    start: bucket.start,
    from: new Date(Math.max(+bucket.start, +start)),
    to: new Date(Math.min(+bucket.start + intervalMs, +end)),
  }));
  const isOfRows = query.agg === 'last' || table.label !== undefined;
  const [found, lasts, labels] = await Promise.all([
    sumsOf(pool, table, series, spans, query, until),
    isOfRows ? lastRows(pool, table, series, spans) : null,
    labelCounts(pool, table, series, spans, intervalMs),
  ]);
  const sums = byStart(found);
  const deleted = lasts ? spans.filter((span) => !lasts.has(+span.start)) : [];
  const all = { measures: Object.keys(table.measures), withEnds: true, intervalMs };
  const remains = byStart(await hourSums(pool, table, series, deleted, all));
  const items = new Map<number, Item>();
  for (const span of spans) {
    const at = +span.start;
    const own = sums.get(at) ?? [];
    const last = lasts?.get(at);
    const { exchange, simulated, key } = series;
    const shown = query.agg === 'last' ? (remains.get(at) ?? []) : own;
    const isRow = query.agg === 'last' && last !== undefined;
    if (!isRow && shown.length === 0 && !labels.has(at)) continue;
    items.set(at, {
      ...(isRow
        ? last
        : { kind: table.name, ...presentOwner(exchange), simulated, ...table.named(key) }),
      ...(!isRow && presentSums(query, table, shown)),
      ...(labels.has(at) && { label: last?.label, label_counts: labels.get(at) }),
      bucket_start: span.start.toISOString(),
      samples: Math.max(0, ...own.map((one) => one.samples)),
    });
  }
  return items;
}
