import { decimal, decimalText, isStorable } from '../../decimal';
import type { Transfer } from '../../exchange/port';
import type { Storing } from '../kind';
import { BRIDGES } from '../load-prices';
import { priceOf } from '../price-assets';
import type { SeenTransfers } from './gather';

export async function storeTransfers(
  { tx, common }: Storing,
  seen: readonly SeenTransfers[],
): Promise<string[]> {
  const keys: string[] = [];
  const { collectionRef, capturedAt, exchange, simulated } = common;
  for (const one of seen) {
    const { transfers, since, until, isWhole, offsetMs, quote, ignored, prices } = one;
    const ours = (time: number) => new Date(time - offsetMs);
    const priceIn = (asset: string) => priceOf(asset, quote, prices, BRIDGES);
    const worthOf = (asset: string | null, amount: string) => {
      const isNothing = asset === null || ignored.includes(asset);
      const worth = isNothing ? decimal(0) : priceIn(asset)?.price.times(amount);
      return worth && isStorable(worth) ? decimalText(worth) : null;
    };
    const ordered = [...transfers].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    for (const one of ordered) {
      const { type, transferId, status, asset, amount, fee, feeAsset, time } = one;
      const stale = priceIn(asset)?.stale ?? false;
      const { rows } = await tx.query<{ is_new: boolean }>(TRANSFER, [
        ...[collectionRef.toString(), capturedAt, exchange, simulated, stale, type, transferId],
        ...[status, asset, amount, fee, feeAsset, new Date(time), ours(time), quote],
        ...[worthOf(asset, amount), worthOf(feeAsset, fee)],
      ]);
      if (rows[0]?.is_new) keys.push(asset);
    }
    if (ignored.length > 0) {
      await tx.query(IGNORED, [exchange, simulated, ignored]);
    }
    const knownUntil = isWhole ? capturedAt : ours(until);
    await tx.query(PROGRESS, [exchange, simulated, new Date(until), ours(since), knownUntil]);
  }
  // The statement PROGRESS has locked the account's row, so a concurrent writer adds its transfers
  // after this commit.
  if (seen.length > 0) await tx.query(TOTALS, [exchange, simulated]);
  return keys;
}

const TRANSFER = `INSERT INTO transfer AS known (collection_ref, captured_at, exchange, simulated, stale, type, transfer_id, status,
    asset, amount, fee, fee_asset, transferred_at, counted_at, quote, value_in_quote, fee_in_quote)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  ON CONFLICT (exchange, simulated, type, transfer_id) DO UPDATE SET
    -- A deposit counts from the first collection that sees it completed.
    counted_at = CASE WHEN known.type = 'deposit' AND known.status = 'pending' AND excluded.status = 'ok'
      THEN excluded.captured_at ELSE known.counted_at END,
    status = excluded.status, amount = excluded.amount, fee = excluded.fee, fee_asset = excluded.fee_asset,
    value_in_quote = CASE WHEN known.amount = excluded.amount THEN coalesce(known.value_in_quote, excluded.value_in_quote)
      ELSE excluded.value_in_quote END,
    fee_in_quote = CASE WHEN known.fee = excluded.fee THEN coalesce(known.fee_in_quote, excluded.fee_in_quote)
      ELSE excluded.fee_in_quote END
  WHERE (known.status, known.amount, known.fee) IS DISTINCT FROM (excluded.status, excluded.amount, excluded.fee)
    OR known.value_in_quote IS NULL OR known.fee_in_quote IS NULL
  RETURNING xmax = 0 AS is_new`;

const IGNORED = `UPDATE transfer SET
    value_in_quote = CASE WHEN asset = ANY($3) THEN coalesce(value_in_quote, 0) ELSE value_in_quote END,
    fee_in_quote = CASE WHEN fee_asset = ANY($3) THEN coalesce(fee_in_quote, 0) ELSE fee_in_quote END
  WHERE exchange = $1 AND simulated = $2
    AND (value_in_quote IS NULL AND asset = ANY($3) OR fee_in_quote IS NULL AND fee_asset = ANY($3))`;

const PROGRESS = `INSERT INTO transfer_progress AS known (exchange, simulated, watermark, known_from, known_until)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (exchange, simulated) DO UPDATE SET
    watermark = greatest(known.watermark, excluded.watermark),
    known_until = greatest(known.known_until, excluded.known_until),
    known_from = CASE WHEN excluded.known_from > known.known_until THEN excluded.known_from ELSE known.known_from END`;

const COUNTED = `WHERE status = 'ok' OR status = 'pending' AND type = 'withdrawal'`;

const TOTALS = `INSERT INTO transfer_total (exchange, simulated, quote, value)
  SELECT exchange, simulated, quote, CASE WHEN coalesce(bool_and(value_in_quote IS NOT NULL) FILTER (${COUNTED}), true)
    THEN coalesce(sum(CASE type WHEN 'withdrawal' THEN -value_in_quote ELSE value_in_quote END) FILTER (${COUNTED}), 0) END
  FROM transfer WHERE exchange = $1 AND simulated = $2 GROUP BY exchange, simulated, quote
  ON CONFLICT (exchange, simulated, quote) DO UPDATE SET value = excluded.value`;

const keyOf = ({ type, transferId }: Transfer): string => `${type} ${transferId}`;
