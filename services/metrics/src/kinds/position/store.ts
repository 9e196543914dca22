import { insertRows } from '../insert-rows';
import type { Storing } from '../kind';
import { POSITION_TABLE, positionKey } from './columns';
import type { ObservedMargin } from './gather';

/** Each position with all that was received for its symbol so far; each payment counts once. */
export async function storePositions(
  storing: Storing,
  seen: readonly ObservedMargin[],
): Promise<string[]> {
  const { tx, common } = storing;
  const payments = seen.flatMap((one) => one.payments);
  if (payments.length > 0) {
    const data = payments.map(({ paymentId, time, ...one }) => ({
      ...one,
      exchange: common.exchange,
      payment_id: paymentId,
      paid_at: new Date(time).toISOString(),
    }));
    await tx.$executeRawUnsafe(
      `INSERT INTO funding_payment (exchange, symbol, payment_id, asset, amount, paid_at)
       SELECT exchange, symbol, payment_id, asset, amount, paid_at
       FROM json_populate_recordset(NULL::funding_payment, $1::json)
       ORDER BY symbol, payment_id ON CONFLICT DO NOTHING`,
      JSON.stringify(data),
    );
  }
  const positions = seen.flatMap((one) => one.positions);
  if (positions.length === 0) return [];
  const sums = await tx.$queryRawUnsafe<{ symbol: string; received: string }[]>(
    'SELECT symbol, sum(amount)::text AS received FROM funding_payment WHERE exchange = $1 GROUP BY symbol',
    common.exchange,
  );
  const received = new Map(sums.map((row) => [row.symbol, row.received]));
  const rows = positions.map((row) => ({
    ...row,
    funding_received: received.get(row.symbol) ?? '0',
  }));
  await insertRows(storing, POSITION_TABLE.table, rows);
  return positions.map(({ symbol, side }) => positionKey(symbol, side));
}
