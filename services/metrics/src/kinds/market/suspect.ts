import { type Decimal, decimal } from '../../decimal';
import { ExchangeFailure } from '../../exchange/failure';
import type { Exchange } from '../../exchange/port';
import type { Quote } from '../../exchange/read-ticker';
import type { Resources } from '../../resources';

interface Before {
  symbol: string;
  mid: string;
  hours: number;
  range: string | null;
}

const MOST_RANGES = 20;
const LEAST_FACTOR = 2;
const LARGEST_FACTOR = 10;
const NEAR = 0.2;

const waiting = new WeakMap<Exchange, Map<string, Decimal>>();

export async function createSuspicion(
  { clock, db, exchange }: Resources,
  symbols: readonly string[],
): Promise<(quote: Quote) => ExchangeFailure | null> {
  const { rows } = await db.pool.query<Before>({
    name: 'prices-before',
    text: BEFORE,
    values: [exchange.name, exchange.simulated, symbols, clock.now()],
  });
  const before = new Map(rows.map((row) => [row.symbol, row]));
  const suspects = waiting.get(exchange) ?? new Map<string, Decimal>();
  waiting.set(exchange, suspects);
  return ({ symbol, mid }) => {
    const price = decimal(mid);
    const known = before.get(symbol);
    const suspect = suspects.get(symbol);
    suspects.delete(symbol);
    if (!known || isPlausible(known, price)) return null;
    if (suspect?.minus(price).abs().lt(price.times(NEAR))) return null;
    suspects.set(symbol, price);
    const reason = `the price changed from ${known.mid} to ${mid}: the new price is stored if the next collection confirms it`;
    return new ExchangeFailure('suspect', symbol, reason);
  };
}

function isPlausible({ mid, range, hours }: Before, price: Decimal): boolean {
  const last = decimal(mid);
  const factor = price.gt(last) ? price.div(last) : last.div(price);
  if (range === null) return factor.lt(LARGEST_FACTOR);
  const ranges = price.minus(last).abs().div(range);
  return factor.lt(LEAST_FACTOR) || ranges.lt(MOST_RANGES * Math.sqrt(Math.max(1, hours)));
}

const BEFORE = `
  SELECT asked.symbol, last.mid::text AS mid, candle.range::text AS range,
    (extract(epoch FROM $4::timestamptz - last.captured_at) / 3600)::float8 AS hours
  FROM unnest($3::text[]) AS asked (symbol) CROSS JOIN LATERAL (
    SELECT t.mid, t.captured_at FROM market_snapshot t
    WHERE t.symbol = asked.symbol AND t.exchange = $1 AND t.simulated = $2
      AND t.captured_at > $4::timestamptz - interval '1 day'
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
  ) last CROSS JOIN LATERAL (
    SELECT nullif(avg(high - low), 0) AS range FROM (
      SELECT high, low FROM ohlcv_candle c
      WHERE c.exchange = $1 AND c.symbol = asked.symbol AND c.timeframe = '1h' ORDER BY c.open_time DESC LIMIT 14) recent
  ) candle`;
