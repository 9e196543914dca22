import { z } from 'zod';
import { decimalText, optionalDecimalText } from '../../decimal';
import { presentOwner } from '../../exchange/owner';
import type { GridRow } from './read-grids';

export const gridConfig = z.object({
  grid_id: z.string(),
  name: z.string(),
  symbol: z.string(),
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  mode: z.enum(['simulated', 'external']),
  spacing: z.enum(['arithmetic', 'geometric']),
  lower_price: z.string(),
  upper_price: z.string(),
  grid_count: z.number(),
  order_amount: z.string(),
  total_quote: z.string().nullable(),
  fee_rate: z.string(),
  client_order_prefix: z.string(),
  initial_base: z.string(),
  initial_cost: z.string(),
  rebased_at: z.string().nullable(),
  status: z.enum(['active', 'paused', 'stopped']),
  created_at: z.string(),
  stopped_at: z.string().nullable(),
});

export function presentGrid(row: GridRow): z.output<typeof gridConfig> {
  return {
    grid_id: row.gridId,
    name: row.name,
    symbol: row.symbol,
    ...presentOwner(row.exchange),
    simulated: row.simulated,
    mode: row.mode as 'simulated' | 'external',
    spacing: row.spacing as 'arithmetic' | 'geometric',
    lower_price: decimalText(row.lowerPrice),
    upper_price: decimalText(row.upperPrice),
    grid_count: row.gridCount,
    order_amount: decimalText(row.orderAmount),
    total_quote: optionalDecimalText(row.totalQuote),
    fee_rate: decimalText(row.feeRate),
    client_order_prefix: row.clientOrderPrefix,
    initial_base: decimalText(row.initialBase),
    initial_cost: decimalText(row.initialCost),
    rebased_at: row.rebasedAt?.toISOString() ?? null,
    status: row.status as 'active' | 'paused' | 'stopped',
    created_at: row.createdAt.toISOString(),
    stopped_at: row.stoppedAt?.toISOString() ?? null,
  };
}
