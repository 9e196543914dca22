import type { Sql } from '@switchyard/db';
import { z } from 'zod';
import { costsOf } from '../exchange/live/access/answers/answers';
import { secondsFor } from '../exchange/live/access/answers/shapes';
import type { Resources } from '../resources';

export const requestPlan = z.object({
  needs_seconds: z.number(),
  may_take_seconds: z.number(),
  interval_seconds: z.number(),
});

export type RequestPlan = z.output<typeof requestPlan>;

export type GridSymbols = Record<string, string[]>;

export const GRID_SYMBOLS = `SELECT coalesce(json_object_agg(exchange, symbols), '{}') FROM (
  SELECT exchange, array_agg(DISTINCT symbol) AS symbols FROM grid WHERE status = 'active' GROUP BY exchange) AS active`;

/**
 * Returns how long the exchange's rate limits delay the largest collection, that is, one that reads
 * new candles. Null if the exchange has no limits or they are unknown.
 */
export function planOf({ config, exchange }: Resources, gridSymbols: GridSymbols) {
  const { componentTimeoutMs, intervalMs, perpetuals, symbols, exchange: own } = config;
  if (own.mode !== 'live' || !own.rateLimit) return null;
  const costs = costsOf(own.id);
  if (costs === null) return null;
  const ofGrids = gridSymbols[exchange.name] ?? [];
  const seconds = secondsFor(costs, {
    collection: 1,
    symbol: new Set([...symbols, ...ofGrids]).size,
    grids: Math.min(ofGrids.length, 1),
    grid: ofGrids.length,
    perpetuals: Math.min(perpetuals.length, 1),
    perpetual: perpetuals.length,
  });
  return {
    needs_seconds: Math.ceil(seconds),
    may_take_seconds: componentTimeoutMs / 1000,
    interval_seconds: intervalMs / 1000,
  };
}

export const fits = (plan: RequestPlan): boolean => plan.needs_seconds < plan.may_take_seconds;

export async function logPlans(
  { db, logger }: Resources,
  accounts: readonly Resources[],
): Promise<void> {
  const { rows } = await (db.pool as Sql).query<{ symbols: GridSymbols }>(
    `SELECT (${GRID_SYMBOLS}) AS symbols`,
  );
  for (const account of accounts) {
    const plan = planOf(account, rows[0]?.symbols ?? {});
    if (plan === null) continue;
    const { needs_seconds: needs, interval_seconds: interval } = plan;
    const said = `collecting from ${account.exchange.name} takes ${needs} s per interval of ${interval} s`;
    if (fits(plan)) logger.info(said);
    else logger.warn(`${said}, but ${adviceFor(plan)}`);
  }
}

export function adviceFor({ needs_seconds: needs, may_take_seconds: may }: RequestPlan): string {
  // A component's time limit is three fifths of the collection timeout. A fifth of the limit is
  // reserved for the responses.
  const total = Math.ceil(((needs + may / 5) * 5) / 3) * 1000;
  return `a component may only take ${may} s: set METRICS_COLLECTION_TIMEOUT_MS to ${total}, or collect fewer symbols`;
}
