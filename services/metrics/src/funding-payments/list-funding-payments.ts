import { z } from 'zod';
import { decimalText, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { createValues } from '../history/conditions';
import {
  timeOrderPage,
  timeOrderPagination,
  timeOrderQuery,
  timeOrderSql,
} from '../history/time-order';
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

type Query = z.output<typeof fundingPaymentsQuery>;

interface Row {
  id: string;
  payment_id: string;
  exchange: string;
  simulated: boolean;
  symbol: string;
  asset: string;
  amount: string;
  quote: string | null;
  value_in_quote: string | null;
  paid_at: Date;
}

export async function listFundingPayments(
  { clock, db }: Resources,
  query: Query,
): Promise<z.output<typeof fundingPaymentsResponse>> {
  const { text, values } = statementFor(query);
  const { rows } = await db.pool.query<Row>(text, values);
  const { shown, pagination } = timeOrderPage(rows, query, (row) => [row.paid_at, row.id]);
  return {
    items: shown.map(({ id: _, exchange, ...row }) => ({
      ...row,
      ...presentOwner(exchange),
      amount: decimalText(row.amount),
      value_in_quote: optionalDecimalText(row.value_in_quote),
      paid_at: row.paid_at.toISOString(),
    })),
    pagination,
    generated_at: clock.now().toISOString(),
  };
}

function statementFor(query: Query) {
  const values = createValues();
  const conditions: string[] = [];
  if (query.symbol !== undefined) conditions.push(`t.symbol = ${values.add(query.symbol)}`);
  const { where, orderAndLimit } = timeOrderSql(values, query, { at: 'paid_at', conditions });
  const text = `
    SELECT t.id::text, t.payment_id, t.exchange, t.symbol, t.asset, t.amount::text, t.quote, t.value_in_quote::text, t.paid_at,
      EXISTS (SELECT 1 FROM series s WHERE s.kind = 'balance' AND s.exchange = t.exchange AND s.simulated) AS simulated
    FROM funding_payment t ${where}
    ${orderAndLimit}`;
  return { text, values: values.list };
}
