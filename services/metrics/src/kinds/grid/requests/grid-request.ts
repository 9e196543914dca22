import { z } from 'zod';
import { decimalFromZero, feeRate, positiveDecimal, storableText } from '../../../http/fields';
import { gridConfig } from '../present-grid';

const MAX_GRID_COUNT = 200;

export const gridRequest = z.strictObject({
  name: storableText(100).min(1),
  symbol: storableText(64),
  mode: z.enum(['simulated', 'external']).optional(),
  spacing: z.enum(['arithmetic', 'geometric']).default('arithmetic'),
  lower_price: positiveDecimal,
  upper_price: positiveDecimal,
  account: storableText(32).optional().describe('only with several accounts; by default the first'),
  grid_count: z.int().min(2).max(MAX_GRID_COUNT),
  total_quote: positiveDecimal.optional(),
  order_amount: positiveDecimal.optional(),
  fee_rate: feeRate.optional(),
  client_order_prefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,16}$/)
    .optional(),
  initial_base: decimalFromZero
    .optional()
    .describe(
      'amount held at the start on a real exchange; by default the amount that the sell orders need',
    ),
  initial_cost: decimalFromZero
    .optional()
    .describe('cost of this amount in the quote asset; by default its value at the current price'),
});

export const rebaseRequest = z.strictObject({
  initial_base: decimalFromZero.describe('amount held now'),
  initial_cost: decimalFromZero
    .optional()
    .describe('cost of this amount in the quote asset; by default its value at the current price'),
});

export type GridRequest = z.output<typeof gridRequest>;

const gridLevel = z.object({
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
