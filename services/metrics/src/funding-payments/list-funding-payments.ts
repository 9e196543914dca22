import { z } from 'zod';
import { decimalText, optionalDecimalText } from '../decimal';
import { accountSql, presentOwner } from '../exchange/owner';
import { createValues } from '../history/conditions';
import { moment, queryInteger, storableText } from '../http/fields';
import { readPlace, writePlace } from '../http/place-cursor';
import type { Resources } from '../resources';

export const fundingPaymentsQuery = z.strictObject({
  symbol: storableText(64).optional(),
  account: storableText(32).optional(),
  start: moment.optional(),
  end: moment.optional(),
  limit: queryInteger(1, 1000).default(100),
  cursor: storableText(256).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
});

const payment = z.object({
  payment_id: z.string(),
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  symbol: z.string(),
  asset: z.string(),
  amount: z.string().describe('negative when it was paid, positive when it was received'),
  quote: z.string().nullable(),
  value_in_quote: z.string().nullable().describe('null while the asset has no price'),
  paid_at: z.string(),
});

export const fundingPaymentsResponse = z.object({
  items: z.array(payment),
  pagination: z.object({
    limit: z.number(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
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

/** GET /funding-payments: what holding positions of perpetuals has cost and brought, in order of time. */
export async function listFundingPayments(
  { clock, db }: Resources,
  query: Query,
): Promise<z.output<typeof fundingPaymentsResponse>> {
  const { text, values } = statementFor(query);
  const { rows } = await db.pool.query<Row>(text, values);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    items: shown.map(({ id: _, exchange, ...row }) => ({
      ...row,
      ...presentOwner(exchange),
      amount: decimalText(row.amount),
      value_in_quote: optionalDecimalText(row.value_in_quote),
      paid_at: row.paid_at.toISOString(),
    })),
    pagination: {
      limit: query.limit,
      has_more: hasMore,
      next_cursor: hasMore ? writePlace(last.paid_at, last.id) : null,
    },
    generated_at: clock.now().toISOString(),
  };
}

function statementFor(query: Query) {
  const values = createValues();
  const conditions: string[] = [];
  if (query.symbol !== undefined) conditions.push(`p.symbol = ${values.add(query.symbol)}`);
  if (query.account !== undefined) {
    conditions.push(`${accountSql('p.exchange')} = ${values.add(query.account)}`);
  }
  if (query.start) conditions.push(`p.paid_at >= ${values.add(query.start)}`);
  if (query.end) conditions.push(`p.paid_at < ${values.add(query.end)}`);
  const after = readPlace(query.cursor);
  if (after) {
    const sign = query.order === 'asc' ? '>' : '<';
    const place = `(${values.add(new Date(after.at))}, ${values.add(after.id)}::bigint)`;
    conditions.push(`(p.paid_at, p.id) ${sign} ${place}`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const text = `
    SELECT p.id::text, p.payment_id, p.exchange, p.symbol, p.asset, p.amount::text, p.quote, p.value_in_quote::text, p.paid_at,
      EXISTS (SELECT 1 FROM series s WHERE s.kind = 'balance' AND s.exchange = p.exchange AND s.simulated) AS simulated
    FROM funding_payment p ${where}
    ORDER BY p.paid_at ${query.order}, p.id ${query.order} LIMIT ${values.add(query.limit + 1)}`;
  return { text, values: values.list };
}
