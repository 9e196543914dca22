import type { Pool } from '@switchyard/db';
import { type Decimal, decimal } from '../decimal';

export interface OpenPosition {
  symbol: string;
  side: string;
  value: string | null;
  unrealised_pnl: string | null;
}

interface StoredPosition extends OpenPosition {
  is_isolated: boolean;
  initial_margin: string | null;
  maintenance_margin: string | null;
}

export async function openPositions(
  pool: Pool,
  collectionRef: string,
  exchange: string,
): Promise<StoredPosition[]> {
  const { rows } = await pool.query<StoredPosition>(
    `SELECT symbol, side, trim_scale(value_in_quote)::text AS value,
       trim_scale(unrealised_in_quote)::text AS unrealised_pnl, margin_mode IS NOT DISTINCT FROM 'isolated' AS is_isolated,
       (initial_margin * price)::text AS initial_margin, (maintenance_margin * price)::text AS maintenance_margin
     FROM (SELECT *, value_in_quote / nullif(amount * mark_price, 0) AS price FROM position_snapshot) AS t WHERE collection_ref = $1 AND exchange = $2 ORDER BY symbol, side`,
    [collectionRef, exchange],
  );
  return rows;
}

export function marginRatio(
  positions: readonly StoredPosition[],
  equity: Decimal | null,
): number | null {
  const shared = positions.filter(({ is_isolated }) => !is_isolated);
  const isolated = positions.filter(({ is_isolated }) => is_isolated);
  const needed = sumOf(shared.map(({ maintenance_margin }) => maintenance_margin));
  const apart = sumOf(isolated.flatMap((one) => [one.initial_margin, one.unrealised_pnl]));
  if (shared.length === 0 || equity === null || needed === null || apart === null) return null;
  const collateral = equity.minus(apart);
  return collateral.gt(needed) ? needed.div(collateral).toNumber() : 1;
}

const sumOf = (values: readonly (string | null)[]): Decimal | null =>
  values.reduce<Decimal | null>(
    (sum, value) => (sum && value !== null ? sum.plus(value) : null),
    decimal(0),
  );
