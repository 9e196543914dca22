import type { Sql } from '@switchyard/db';
import { type Decimal, decimalText } from '../../../decimal';
import type { ExchangeTrade } from '../../../exchange/port';
import type { GridRow } from '../read-grids';
import { foldBooks } from './fold-books';
import type { Ledger } from './ledger';

export type PriceIn = (asset: string) => Decimal | null;

/**
 * Stores new fills, and prices of fees that had none. The caller must hold the lock on the grid's
 * row.
 * @returns the books of all fills
 */
export async function bookFills(
  tx: Sql,
  grid: GridRow,
  trades: readonly ExchangeTrade[],
  priceIn: PriceIn,
): Promise<Ledger> {
  const changed = [
    ...(await insertFills(tx, grid, trades, priceIn)),
    ...(await priceFees(tx, grid, priceIn)),
  ];
  if (changed.length === 0) return grid.ledger as unknown as Ledger;
  return foldBooks(tx, grid, new Date(Math.min(...changed.map(Number))));
}

const COLUMNS = `exchange, symbol, grid_id, trade_id, order_id, client_order_id, side, price, amount, fee, fee_asset,
  fee_price, order_price, is_maker, traded_at`;

const INSERT = `
  INSERT INTO trade (${COLUMNS})
  SELECT ${COLUMNS} FROM json_populate_recordset(NULL::trade, $1::json)
  ON CONFLICT DO NOTHING RETURNING traded_at`;

async function insertFills(
  tx: Sql,
  { exchange, symbol, gridId }: GridRow,
  trades: readonly ExchangeTrade[],
  priceIn: PriceIn,
): Promise<Date[]> {
  if (trades.length === 0) return [];
  const rows = trades.map(({ time, ...trade }) => ({
    ...{ exchange, symbol, grid_id: gridId, trade_id: trade.tradeId, order_id: trade.orderId },
    ...{ client_order_id: trade.clientOrderId, side: trade.side, price: trade.price },
    ...{ amount: trade.amount, fee: trade.fee, fee_asset: trade.feeAsset },
    fee_price: trade.feeAsset ? textOf(priceIn(trade.feeAsset)) : null,
    order_price: trade.orderPrice ?? null,
    is_maker: trade.isMaker ?? null,
    traded_at: new Date(time).toISOString(),
  }));
  const { rows: stored } = await tx.query<{ traded_at: Date }>(INSERT, [JSON.stringify(rows)]);
  return stored.map((row) => row.traded_at);
}

const PRICE = `
  UPDATE trade SET fee_price = priced.price
  FROM unnest($2::text[], $3::numeric[]) AS priced (asset, price)
  WHERE grid_id = $1 AND fee_asset = priced.asset AND fee_price IS NULL
  RETURNING traded_at`;

async function priceFees(tx: Sql, grid: GridRow, priceIn: PriceIn): Promise<Date[]> {
  const { feesUnpriced } = grid.ledger as unknown as Ledger;
  const priced = Object.keys(feesUnpriced).flatMap((asset) => {
    const price = textOf(priceIn(asset));
    return price === null ? [] : [{ asset, price }];
  });
  if (priced.length === 0) return [];
  const { rows } = await tx.query<{ traded_at: Date }>(PRICE, [
    grid.gridId,
    priced.map(({ asset }) => asset),
    priced.map(({ price }) => price),
  ]);
  return rows.map((row) => row.traded_at);
}

const textOf = (price: Decimal | null): string | null => (price ? decimalText(price) : null);
