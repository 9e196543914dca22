import type { Pool } from '@switchyard/db';

export interface OpenPosition {
  symbol: string;
  side: string;
  value: string | null;
  unrealised_pnl: string | null;
}

export async function openPositions(
  pool: Pool,
  collectionRef: string,
  exchange: string,
): Promise<OpenPosition[]> {
  const { rows } = await pool.query<OpenPosition>(
    `SELECT symbol, side, trim_scale(value_in_quote)::text AS value,
       trim_scale(unrealised_in_quote)::text AS unrealised_pnl
     FROM position_snapshot WHERE collection_ref = $1 AND exchange = $2 ORDER BY symbol, side`,
    [collectionRef, exchange],
  );
  return rows;
}
