import { z } from 'zod';
import { readInOrder, timeOrderPagination, timeOrderQuery } from '../history/time-order';
import { storableText } from '../http/fields';
import type { Resources } from '../resources';

export const fundingPaymentsQuery = z.strictObject({
  symbol: storableText(64).optional(),
  ...timeOrderQuery,
});

const payment = z.object({
  payment_id: z.string(),
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  symbol: z.string(),
  asset: z.string(),
  amount: z.string().describe('negative if paid, positive if received'),
  quote: z.string().nullable(),
  value_in_quote: z.string().nullable().describe('null while the asset has no price'),
  paid_at: z.string(),
});

export const fundingPaymentsResponse = z.object({
  items: z.array(payment),
  pagination: timeOrderPagination,
  generated_at: z.string(),
});

export const listFundingPayments = (
  resources: Resources,
  query: z.output<typeof fundingPaymentsQuery>,
) =>
  readInOrder<z.output<typeof payment>>(resources, query, {
    at: 'paid_at',
    from: 'funding_payment t',
    columns: `t.payment_id, t.symbol, t.asset, t.amount, t.quote, t.value_in_quote,
      EXISTS (SELECT 1 FROM series s WHERE s.kind = 'balance' AND s.exchange = t.exchange AND s.simulated) AS simulated`,
    filters: ['symbol'],
    decimals: ['amount', 'value_in_quote'],
  });
