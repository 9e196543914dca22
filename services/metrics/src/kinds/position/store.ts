import { insertRows } from '../insert-rows';
import type { Storing } from '../kind';
import { BRIDGES } from '../load-prices';
import { priceOf } from '../price-assets';
import { POSITION_TABLE, positionKey } from './columns';
import type { ObservedMargin } from './gather';

export async function storePositions(
  storing: Storing,
  seen: readonly ObservedMargin[],
): Promise<string[]> {
  const { tx, common } = storing;
  for (const one of seen) await storePayments(storing, one);
  const positions = seen.flatMap((one) => one.positions);
  if (positions.length === 0) return [];
  const { rows: sums } = await tx.query<{ symbol: string; received: string }>(
    'SELECT symbol, sum(amount)::text AS received FROM funding_payment WHERE exchange = $1 GROUP BY symbol',
    [common.exchange],
  );
  const received = new Map(sums.map((row) => [row.symbol, row.received]));
  const rows = positions.map((row) => ({
    ...row,
    funding_received: received.get(row.symbol) ?? '0',
  }));
  await insertRows(storing, POSITION_TABLE.table, rows);
  return positions.map(({ symbol, side }) => positionKey(symbol, side));
}

async function storePayments(
  { tx, common }: Storing,
  { payments, offsetMs, quote, prices }: ObservedMargin,
): Promise<void> {
  const { exchange } = common;
  const data = payments.map(({ paymentId, time, ...one }) => ({
    ...one,
    exchange,
    payment_id: paymentId,
    paid_at: new Date(time).toISOString(),
    counted_at: new Date(time - offsetMs).toISOString(),
  }));
  if (data.length > 0) {
    await tx.query(
      `INSERT INTO funding_payment (exchange, symbol, payment_id, asset, amount, paid_at, counted_at)
       SELECT exchange, symbol, payment_id, asset, amount, paid_at, counted_at
       FROM json_populate_recordset(NULL::funding_payment, $1::json)
       ORDER BY symbol, payment_id ON CONFLICT DO NOTHING`,
      [JSON.stringify(data)],
    );
  }
  const { rows: unpriced } = await tx.query<{ asset: string }>(
    'SELECT DISTINCT asset FROM funding_payment WHERE exchange = $1 AND value_in_quote IS NULL ORDER BY asset',
    [exchange],
  );
  for (const { asset } of unpriced) {
    const price = priceOf(asset, quote, prices, BRIDGES)?.price;
    if (!price) continue;
    await tx.query(
      `UPDATE funding_payment SET quote = $3, value_in_quote = amount * $4::numeric
       WHERE exchange = $1 AND asset = $2 AND value_in_quote IS NULL
         AND abs(amount * $4::numeric) < 1e20 -- More is not storable.`,
      [exchange, asset, quote, price.toFixed()],
    );
  }
}
