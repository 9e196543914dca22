import type { Pool } from '@switchyard/db';
import { z } from 'zod';

const MARKOUT_MINUTES = [1, 5, 60];
const MOST_FILLS = 5_000;

export const fillFigures = {
  fills: z.number(),
  fills_since: z
    .string()
    .describe('start of `days`, or later where METRICS_RETENTION_DAYS has deleted fills'),
  maker_share: z
    .number()
    .nullable()
    .describe('by value, for fills in the account’s quote with a known role'),
  markouts: z.array(
    z.object({
      minutes: z.number(),
      fills: z.number().describe('number of fills with a known later price'),
      bps: z
        .number()
        .nullable()
        .describe(
          'mean price move after a fill in the account’s quote, weighted by value; negative if against the fill',
        ),
    }),
  ),
};

interface Owner {
  name: string;
  simulated: boolean;
  quote: string;
}

export async function readFillFigures(pool: Pool, { name, simulated, quote }: Owner, since: Date) {
  const { rows: sums } = await pool.query<{
    fills: number;
    maker_share: number | null;
    fills_since: Date;
  }>(SUMS, [name, since, quote]);
  const { rows: markouts } = await pool.query<{
    minutes: number;
    fills: number;
    bps: number | null;
  }>(MARKOUTS, [name, since, quote, simulated, MARKOUT_MINUTES]);
  const { fills = 0, maker_share = null, fills_since = since } = sums[0] ?? {};
  return { fills, fills_since: fills_since.toISOString(), maker_share, markouts };
}

const FILL = `
  fill AS (
    SELECT DISTINCT ON (symbol, trade_id) symbol, side, price, traded_at, is_maker,
      CASE WHEN split_part(split_part(symbol, ':', 1), '/', 2) = $3 THEN price * amount END AS value FROM (
      SELECT symbol, trade_id, side, price, amount, traded_at, is_maker FROM account_fill
      WHERE exchange = $1 AND traded_at >= $2
      UNION ALL
      SELECT symbol, trade_id, side, price, amount, traded_at, is_maker FROM trade
      WHERE exchange = $1 AND traded_at >= $2
    ) AS own ORDER BY symbol, trade_id, is_maker NULLS LAST
  )`;

const SUMS = `
  WITH ${FILL}
  SELECT count(*)::int AS fills,
    greatest($2, (SELECT until + interval '1 millisecond' FROM deleted_fills WHERE exchange = $1)) AS fills_since,
    (coalesce(sum(value) FILTER (WHERE is_maker), 0)
    / nullif(sum(value) FILTER (WHERE is_maker IS NOT NULL), 0))::float8 AS maker_share
  FROM fill`;

/**
 * The later price is the known price nearest to the end of the interval, and at most half of the
 * interval away from it.
 */
const MARKOUTS = `
  WITH ${FILL}, moment AS (
    SELECT wait.minutes, fill.*, fill.traded_at + wait.minutes * interval '1 minute' AS at
    FROM unnest($5::int[]) AS wait (minutes)
    LEFT JOIN (SELECT * FROM fill WHERE value IS NOT NULL ORDER BY traded_at DESC LIMIT ${MOST_FILLS}) AS fill ON true
  )
  SELECT minutes, count(later.price)::int AS fills,
    (10000 * sum(value * (later.price / moment.price - 1) * CASE side WHEN 'buy' THEN 1 ELSE -1 END)
      / nullif(sum(value) FILTER (WHERE later.price IS NOT NULL), 0))::float8 AS bps
  FROM moment LEFT JOIN LATERAL (
    SELECT known.price FROM (
      SELECT m.mid AS price, coalesce(m.source_time, m.captured_at) AS at FROM market_snapshot m
      WHERE m.symbol = moment.symbol AND m.exchange = $1 AND m.simulated = $4 AND NOT m.stale
        AND m.captured_at BETWEEN moment.at - interval '40 minutes' AND moment.at + interval '40 minutes'
      UNION ALL
      SELECT c.close, c.open_time + span.length FROM (VALUES ('1m', interval '1 minute'), ('5m', interval '5 minutes'),
        ('15m', interval '15 minutes'), ('30m', interval '30 minutes'), ('1h', interval '1 hour')) AS span (timeframe, length)
      JOIN ohlcv_candle c ON c.exchange = $1 AND c.symbol = moment.symbol AND c.timeframe = span.timeframe
        AND c.open_time = date_bin(span.length, moment.at - span.length / 2, 'epoch'::timestamptz)
    ) AS known
    WHERE abs(extract(epoch FROM known.at - moment.at)) <= moment.minutes * 30
    ORDER BY abs(extract(epoch FROM known.at - moment.at)) LIMIT 1
  ) AS later ON true
  GROUP BY minutes ORDER BY minutes`;
