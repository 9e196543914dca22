import { ApiError } from '@switchyard/server';
import { z } from 'zod';
import { type Decimal, decimal, decimalText, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { queryInteger, storableText } from '../http/fields';
import type { Resources } from '../resources';
import { drawdown, presentDrawdown } from './drawdown';
import { marginRatio, openPositions } from './open-positions';
import { readEquity } from './read-equity';

export const riskQuery = z.strictObject({
  days: queryInteger(1, 3650).default(30),
  account: storableText(32).optional(),
});

const amount = z.string().nullable();
const share = z.number().nullable();

export const riskResponse = z.object({
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  quote: z.string(),
  captured_at: z.string(),
  equity: amount,
  exposure: share,
  margin_ratio: share.describe(
    'maintenance margin of cross-margin positions as a share of their collateral; liquidation starts at 1; null without such positions',
  ),
  assets: z.array(z.object({ asset: z.string(), value: amount, share })),
  positions: z.array(
    z.object({
      symbol: z.string(),
      side: z.string(),
      value: amount,
      share,
      unrealised_pnl: amount,
    }),
  ),
  grids: z.array(
    z.object({
      grid_id: z.string(),
      name: z.string(),
      symbol: z.string(),
      captured_at: z.string(),
      inventory_value: z.string(),
      open_buys_value: z.string(),
      skew: share,
    }),
  ),
  drawdown,
  generated_at: z.string(),
});

interface BalanceRow {
  collection_ref: string;
  captured_at: Date;
  quote: string;
  asset: string | null;
  value_in_quote: string | null;
  total_equity: string | null;
  margin_equity: string | null;
  margin_assets: Record<string, string | null> | null;
}

interface GridRow {
  grid_id: string;
  name: string;
  symbol: string;
  order_amount: string;
  captured_at: Date;
  mark_price: string;
  inventory_base: string;
  levels: { price: string; side: string | null; state: string }[];
}

export async function showRisk(
  { clock, db, exchange }: Resources,
  { days }: z.output<typeof riskQuery>,
): Promise<z.output<typeof riskResponse>> {
  const { name, simulated } = exchange;
  const { rows } = await db.pool.query<BalanceRow>(
    `SELECT collection_ref, captured_at, quote, asset, value_in_quote::text, total_equity::text,
       margin_equity::text, margin_assets FROM balance_snapshot
     WHERE collection_ref = (
       SELECT collection_ref FROM balance_snapshot WHERE asset IS NULL AND exchange = $1 AND simulated = $2
       ORDER BY captured_at DESC, id DESC LIMIT 1)
       AND exchange = $1
     ORDER BY asset`,
    [name, simulated],
  );
  const total = rows.find(({ asset }) => asset === null);
  if (!total) throw new ApiError('not_found', 'no balance is known yet: run a collection');
  const now = clock.now();
  const equity = total.total_equity === null ? null : decimal(total.total_equity);
  const shareOf = (value: string | null) =>
    equity?.gt(0) && value !== null ? decimal(value).div(equity).toNumber() : null;
  const held = heldAssets(rows, total);
  const positions = await openPositions(db.pool, total.collection_ref, name);
  const owners = { names: [name], simulated, quote: total.quote };
  const series = await readEquity(db.pool, owners, days, now);
  const values = [...held.values(), ...positions.map(({ value }) => value)];
  const isKnown = values.every((value) => value !== null);
  const exposed = values.reduce((sum, value) => sum.plus(decimal(value ?? 0).abs()), decimal(0));
  return {
    ...presentOwner(name),
    simulated,
    quote: total.quote,
    captured_at: total.captured_at.toISOString(),
    equity: optionalDecimalText(equity),
    exposure: isKnown ? shareOf(exposed.toFixed()) : null,
    margin_ratio: marginRatio(positions, collateralOf(total, equity)),
    assets: [...held].map(([asset, value]) => ({
      asset,
      value: optionalDecimalText(value),
      share: shareOf(value),
    })),
    positions: positions.map(({ symbol, side, value, unrealised_pnl }) => ({
      ...{ symbol, side, value, unrealised_pnl },
      share: shareOf(value),
    })),
    grids: await leaningsOf(db.pool, name, simulated),
    drawdown: { days, ...presentDrawdown(series) },
    generated_at: now.toISOString(),
  };
}

function collateralOf({ margin_assets, margin_equity }: BalanceRow, equity: Decimal | null) {
  const isApart = Object.keys(margin_assets ?? {}).length > 0;
  if (!isApart) return equity;
  return margin_equity === null ? null : decimal(margin_equity);
}

function heldAssets(rows: readonly BalanceRow[], { margin_assets, quote }: BalanceRow) {
  const held = new Map<string, string | null>();
  const parts = rows.map(({ asset, value_in_quote }) => [asset, value_in_quote] as const);
  for (const [asset, value] of [...parts, ...Object.entries(margin_assets ?? {})]) {
    if (asset === null || asset === quote) continue;
    const known = held.get(asset) === undefined ? '0' : (held.get(asset) ?? null);
    held.set(asset, known && value && decimal(known).plus(value).toFixed());
  }
  return held;
}

async function leaningsOf(pool: Resources['db']['pool'], exchange: string, simulated: boolean) {
  const { rows } = await pool.query<GridRow>(
    `SELECT g.grid_id, g.name, g.symbol, g.order_amount::text, s.captured_at, s.mark_price::text,
       s.inventory_base::text, s.levels
     FROM grid g CROSS JOIN LATERAL (
       SELECT * FROM grid_snapshot t WHERE t.grid_id = g.grid_id ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) s WHERE g.status = 'active' AND g.exchange = $1 AND g.simulated = $2 ORDER BY g.created_at, g.grid_id`,
    [exchange, simulated],
  );
  return rows.map(leaningOf);
}

function leaningOf({ order_amount, inventory_base, mark_price, levels, ...grid }: GridRow) {
  const { grid_id, name, symbol, captured_at } = grid;
  const inventory = decimal(inventory_base).times(mark_price);
  const buys = levels
    .filter(({ side, state }) => side === 'buy' && state === 'open')
    .reduce((sum: Decimal, { price }) => sum.plus(decimal(price).times(order_amount)), decimal(0));
  const both = inventory.plus(buys);
  const skew = inventory.gte(0) && both.gt(0) ? inventory.minus(buys).div(both).toNumber() : null;
  return {
    ...{ grid_id, name, symbol, skew },
    captured_at: captured_at.toISOString(),
    inventory_value: decimalText(inventory),
    open_buys_value: decimalText(buys),
  };
}
