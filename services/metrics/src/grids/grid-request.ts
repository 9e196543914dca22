import { z } from 'zod';
import { positiveDecimal, storableText } from '../http/fields';
import { gridConfig } from '../kinds/grid/present-grid';

export const MAX_GRID_COUNT = 200;

/** Body of POST /grids/create: numbers or decimal texts. */
export const gridRequest = z.object({
  name: storableText(100).min(1),
  symbol: storableText(64),
  mode: z.enum(['simulated', 'external']).optional(),
  spacing: z.enum(['arithmetic', 'geometric']).default('arithmetic'),
  lower_price: positiveDecimal,
  upper_price: positiveDecimal,
  grid_count: z.int().min(2).max(MAX_GRID_COUNT),
  total_quote: positiveDecimal.optional(),
  order_amount: positiveDecimal.optional(),
  fee_rate: positiveDecimal.optional(),
  client_order_prefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,16}$/)
    .optional(),
});

export type GridRequest = z.output<typeof gridRequest>;

export const gridLevel = z.object({
  index: z.number(),
  price: z.string(),
  side: z.enum(['buy', 'sell']).nullable(),
  state: z.enum(['open', 'idle', 'missing', 'planned']),
  order_id: z.string().nullable(),
});

export const gridCreated = gridConfig.extend({
  levels: z.array(gridLevel),
  warnings: z.array(z.string()),
});

export const gridStopped = gridConfig.extend({ warnings: z.array(z.string()) });
