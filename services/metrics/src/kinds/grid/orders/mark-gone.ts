import type { Sql } from '@switchyard/db';
import type { GridRow } from '../read-grids';
import type { Explained } from './explain-orders';

const MARK = `
  UPDATE exchange_order SET gone_at = coalesce(gone_at, $3), is_open = order_id = ANY($5)
  WHERE exchange = $1 AND symbol = $2 AND order_id IN (
    SELECT order_id FROM exchange_order WHERE exchange = $1 AND symbol = $2 AND order_id = ANY($4::text[] || $5::text[])
    ORDER BY order_id FOR UPDATE)`;

export async function markGone(
  tx: Sql,
  { exchange, symbol }: GridRow,
  { settled, unexplained, lookedAt }: Pick<Explained, 'settled' | 'unexplained' | 'lookedAt'>,
): Promise<void> {
  if (settled.length + unexplained.length === 0) return;
  const waiting = unexplained.map(({ orderId }) => orderId);
  await tx.query(MARK, [exchange, symbol, new Date(lookedAt), settled, waiting]);
}

export async function forgetGone(
  tx: Sql,
  { exchange, symbol, clientOrderPrefix }: GridRow,
): Promise<void> {
  await tx.query(
    `UPDATE exchange_order SET is_open = false
     WHERE exchange = $1 AND symbol = $2 AND is_open AND gone_at IS NOT NULL AND starts_with(client_order_id, $3)`,
    [exchange, symbol, `${clientOrderPrefix}-`],
  );
}
