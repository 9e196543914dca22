import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { decimal } from '../../decimal';
import { presentOwner } from '../../exchange/owner';
import { queryInteger, storableText } from '../../http/fields';
import { closedTrips } from '../../kinds/grid/books/closed-trips';
import { readGrids } from '../../kinds/grid/read-grids';
import type { Resources } from '../../resources';
import { accountProfit } from '../account-profit';
import { fillFigures, readFillFigures } from './read-fills';
import { type DayOfEquity, figuresOf, statisticsOf, sumsOf } from './statistics';

export const performanceQuery = z.strictObject({
  days: queryInteger(1, 3650).default(90),
  account: storableText(32).optional(),
});

const DAY = 86_400_000;

const figure = z.number().nullable();

export const performanceResponse = z.object({
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  start: z.string().nullable(),
  end: z.string().nullable(),
  days: z.number(),
  unknown_days: z.number(),
  hold_return: figure,
  ...figuresOf(figure),
  ...fillFigures,
  grid_trips: z.number().describe('sell orders that closed a buy one level below'),
  trips_since: z.string().describe('start of `days`, or later where fills are too many or deleted'),
  trip_win_rate: figure.describe('after fees; null while a fee has no price'),
  trip_profit_factor: figure,
  generated_at: z.string(),
});

export async function showPerformance(
  { clock, config, db, exchange }: Resources,
  { days }: z.output<typeof performanceQuery>,
): Promise<z.output<typeof performanceResponse>> {
  const now = clock.now();
  const { name, simulated } = exchange;
  const { quote } = config;
  const span = { unit: 'day', until: new Date(now.getTime() + 1), periods: days };
  const all = await accountProfit(db.pool, { name, simulated, quote }, span, []);
  const known = all.flatMap(({ equity_start: start, equity_end: end, transfers: flow }) =>
    start === null || end === null || flow === null
      ? []
      : [{ start: Number(start), end: Number(end), flow: Number(flow) } satisfies DayOfEquity],
  );
  const [first] = all;
  const since = new Date(now.getTime() - days * DAY);
  return {
    ...presentOwner(exchange.name),
    simulated: exchange.simulated,
    start: first?.start ?? null,
    end: all.at(-1)?.end ?? null,
    ...statisticsOf(known),
    unknown_days: all.length - known.length,
    ...(await readFillFigures(db.pool, { name, simulated, quote }, since)),
    ...(await tripFigures(db.pool, exchange, since)),
    hold_return: first ? await holdReturn(db.pool, exchange, new Date(first.start)) : null,
    generated_at: now.toISOString(),
  };
}

async function tripFigures(
  pool: Pool,
  { name, simulated }: { name: string; simulated: boolean },
  start: Date,
) {
  const watched = 'exchange = $1 AND simulated = $2 AND (stopped_at IS NULL OR stopped_at >= $3)';
  const grids = await readGrids(pool, `WHERE ${watched}`, [name, simulated, start]);
  const { trips, since } = await closedTrips(pool, grids, start);
  const results = trips.flatMap((trip) => trip?.toNumber() ?? []);
  const { won, lost } = sumsOf(results);
  const isKnown = trips.length > 0 && results.length === trips.length;
  return {
    grid_trips: trips.length,
    trips_since: since.toISOString(),
    trip_win_rate: isKnown ? results.filter((one) => one > 0).length / results.length : null,
    trip_profit_factor: isKnown && lost > 0 ? won / lost : null,
  };
}

async function holdReturn(
  pool: Pool,
  { name, simulated }: { name: string; simulated: boolean },
  start: Date,
): Promise<number | null> {
  const { rows } = await pool.query<{ before: string; after: string }>(HELD, [
    name,
    simulated,
    start,
  ]);
  const [sums] = rows;
  if (!sums || !decimal(sums.before).gt(0)) return null;
  return decimal(sums.after).div(sums.before).minus(1).toNumber();
}

const TOTALS = 'balance_snapshot t WHERE t.asset IS NULL AND t.exchange = $1 AND t.simulated = $2';

const HELD = `
  WITH start AS (
    SELECT collection_ref FROM (
      (SELECT collection_ref, captured_at FROM ${TOTALS} AND t.total_equity IS NOT NULL AND t.captured_at < $3
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
      UNION ALL
      (SELECT collection_ref, captured_at FROM ${TOTALS} AND t.total_equity IS NOT NULL AND t.captured_at >= $3
       ORDER BY t.captured_at, t.id LIMIT 1)
    ) AS near ORDER BY captured_at LIMIT 1
  ), newest AS (
    SELECT collection_ref FROM ${TOTALS} ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
  ), held AS (
    SELECT h.value_in_quote AS before, h.total * coalesce(CASE WHEN h.asset = h.quote THEN 1 END,
      (SELECT p.price_in_quote FROM balance_snapshot p JOIN newest USING (collection_ref)
       WHERE p.asset = h.asset AND p.quote = h.quote AND p.exchange = $1),
      (SELECT m.mid FROM market_snapshot m
       WHERE m.symbol = h.asset || '/' || h.quote AND m.exchange = $1 AND m.simulated = $2
       ORDER BY m.captured_at DESC, m.id DESC LIMIT 1)) AS after
    FROM balance_snapshot h JOIN start USING (collection_ref) WHERE h.asset IS NOT NULL AND h.exchange = $1
  )
  SELECT sum(before)::text AS before, sum(after)::text AS after FROM held
  HAVING bool_and(before IS NOT NULL AND after IS NOT NULL)`;
