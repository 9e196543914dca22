import type { MetricsDatabase, Sql } from '@switchyard/db';
import type { ExchangeFailure } from '../exchange/failure';
import { type Candle, type Exchange, TIMEFRAME_MS, type Timeframe } from '../exchange/port';
import { isSame, readCandles } from '../exchange/read-candles';

export const CANDLES_WANTED = 300;

const MOST_SETS = 250;

export interface FetchedCandles {
  symbol: string;
  timeframe: Timeframe;
  closed: Candle[];
  fresh: Candle[];
  failure: ExchangeFailure | null;
}

export interface CandleCache {
  stored: Map<string, Candle[]>;
  ahead: Map<string, FetchedCandles>;
}

export const createCandleCache = (): CandleCache => ({ stored: new Map(), ahead: new Map() });

const keyOf = (
  exchange: Exchange,
  { symbol, timeframe }: Pick<FetchedCandles, 'symbol' | 'timeframe'>,
) => `${exchange.name} ${symbol} ${timeframe}`;

export function keepAhead(
  cache: CandleCache,
  exchange: Exchange,
  candles: readonly FetchedCandles[],
): void {
  for (const one of candles) if (one.fresh.length > 0) cache.ahead.set(keyOf(exchange, one), one);
}

/** Reads what the cache lacks of all symbols in one statement, when the first symbol needs it. */
export function openCandles(
  { db, exchange }: { db: MetricsDatabase; exchange: Exchange },
  cache: CandleCache,
  { symbols, timeframe }: { symbols: readonly string[]; timeframe: Timeframe },
  signal: AbortSignal,
): (symbol: string) => Promise<FetchedCandles> {
  const span = TIMEFRAME_MS[timeframe];
  const settled = () => exchange.time() - exchange.candleGraceMs;
  const newest = Math.floor(settled() / span) * span - span;
  const cachedOf = (symbol: string) =>
    cache.stored.get(keyOf(exchange, { symbol, timeframe })) ?? [];
  let reading: Promise<Map<string, Candle[]>> | undefined;
  const read = () => {
    const outdated = symbols.filter((symbol) => cachedOf(symbol).at(-1)?.openTime !== newest);
    const cached = new Map(outdated.map((symbol) => [symbol, cachedOf(symbol)]));
    return storedCandles(db, exchange.name, timeframe, cached);
  };
  return async (symbol) => {
    const key = keyOf(exchange, { symbol, timeframe });
    const cached = cachedOf(symbol);
    const asStored = (closed: Candle[]) => ({
      symbol,
      timeframe,
      closed,
      fresh: [],
      failure: null,
    });
    if (cached.at(-1)?.openTime === newest) return asStored(cached);
    const ahead = cache.ahead.get(key);
    cache.ahead.delete(key);
    if (ahead?.closed.at(-1)?.openTime === newest) return ahead;
    reading ??= read();
    const stored = (await reading).get(symbol) ?? [];
    const last = stored.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY;
    const isFull = stored.length === CANDLES_WANTED && isWithoutGap(stored, span);
    if (isFull && last >= newest) {
      keep(cache.stored, key, stored);
      return asStored(stored);
    }
    const missing = isFull ? Math.min((newest - last) / span, CANDLES_WANTED) : CANDLES_WANTED;
    const asked = isFull ? missing + 2 : missing + 1;
    const answer = await exchange.candles(symbol, timeframe, { limit: asked }, signal);
    const { closed: got, failure } = readCandles(symbol, timeframe, answer, settled());
    const known = new Map(stored.map((candle) => [candle.openTime, candle]));
    const fresh = got.filter((candle) => {
      const before = known.get(candle.openTime);
      return !before || (candle.openTime === last && !isSame(candle, before));
    });
    for (const candle of fresh) known.set(candle.openTime, candle);
    const closed = [...known.values()].sort((a, b) => a.openTime - b.openTime);
    return { symbol, timeframe, fresh, closed: closed.slice(-CANDLES_WANTED), failure };
  };
}

/**
 * Stores fresh candles in one statement, in the same order in every process, so that two processes
 * cannot deadlock. If two reads returned the same candle, stores the later one.
 */
export async function storeCandles(
  tx: Sql,
  exchange: string,
  fetched: readonly FetchedCandles[],
): Promise<void> {
  const byKey = new Map(
    [...fetched]
      .sort((one, other) => one.symbol.localeCompare(other.symbol))
      .flatMap(({ symbol, timeframe, fresh }) =>
        fresh.map((candle) => [
          `${symbol} ${timeframe} ${candle.openTime}`,
          { symbol, timeframe, ...candle },
        ]),
      ),
  );
  const rows = [...byKey.values()];
  if (rows.length === 0) return;
  const times = rows.map(({ openTime }) => new Date(openTime).toISOString());
  const of = (column: 'symbol' | 'timeframe' | (typeof PARTS)[number]) =>
    rows.map((row) => row[column]);
  await tx.query(
    `INSERT INTO ohlcv_candle (exchange, symbol, timeframe, open_time, open, high, low, close, volume)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[],
       $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[])
     ON CONFLICT (exchange, symbol, timeframe, open_time) DO UPDATE SET
       open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
       volume = excluded.volume`,
    [exchange, of('symbol'), of('timeframe'), times, ...PARTS.map(of)],
  );
}

/** Reads the last cached candles again, because another process may have revised them; earlier ones are final. */
async function storedCandles(
  db: MetricsDatabase,
  exchange: string,
  timeframe: Timeframe,
  cached: ReadonlyMap<string, readonly Candle[]>,
): Promise<Map<string, Candle[]>> {
  const { rows } = await db.pool.query<{ symbol: string } & Candle>({
    name: 'stored-candles',
    text: `SELECT known.symbol, (extract(epoch FROM open_time) * 1000)::float8 AS "openTime",
        trim_scale(open)::text AS open, trim_scale(high)::text AS high, trim_scale(low)::text AS low,
        trim_scale(close)::text AS close, trim_scale(volume)::text AS volume
      FROM unnest($3::text[], $4::timestamptz[]) AS known (symbol, since) CROSS JOIN LATERAL (
        SELECT * FROM ohlcv_candle WHERE exchange = $1 AND symbol = known.symbol AND timeframe = $2
          AND open_time >= since ORDER BY open_time DESC LIMIT $5) AS candle
      ORDER BY open_time`,
    values: [
      ...[exchange, timeframe, [...cached.keys()]],
      ...[
        [...cached.values()].map((known) => new Date(known.at(-1)?.openTime ?? 0)),
        CANDLES_WANTED,
      ],
    ],
  });
  const stored = new Map([...cached].map(([symbol, known]) => [symbol, known.slice(0, -1)]));
  for (const { symbol, ...candle } of rows) stored.get(symbol)?.push(candle);
  return new Map([...stored].map(([symbol, candles]) => [symbol, candles.slice(-CANDLES_WANTED)]));
}

function keep(cache: CandleCache['stored'], key: string, candles: Candle[]): void {
  cache.delete(key);
  const [first] = cache.keys();
  if (cache.size >= MOST_SETS && first !== undefined) cache.delete(first);
  cache.set(key, candles);
}

const PARTS = ['open', 'high', 'low', 'close', 'volume'] as const;

function isWithoutGap(candles: readonly Candle[], span: number): boolean {
  const first = candles[0];
  const last = candles.at(-1);
  if (!first || !last) return false;
  return (last.openTime - first.openTime) / span === candles.length - 1;
}
