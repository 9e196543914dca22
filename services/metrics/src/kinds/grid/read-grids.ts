import type { MetricsReader, Sql } from '@switchyard/db';
import { decimal } from '../../decimal';
import type { Row } from '../kind';

export type GridRow = NonNullable<Awaited<ReturnType<MetricsReader['grid']['findUnique']>>>;

const DECIMALS = [
  ...['lowerPrice', 'upperPrice', 'orderAmount', 'totalQuote', 'feeRate', 'tickSize'],
  ...['initialBase', 'initialCost'],
];

export async function readGrids(sql: Sql, which: string, values: unknown[]): Promise<GridRow[]> {
  const { rows } = await sql.query<Row>(`SELECT * FROM grid ${which}`, values);
  return rows.map(gridOf);
}

export const readActiveGrids = (
  sql: Sql,
  { name, simulated }: { name: string; simulated: boolean },
): Promise<GridRow[]> =>
  readGrids(
    sql,
    "WHERE status = 'active' AND exchange = $1 AND simulated = $2 ORDER BY created_at, grid_id",
    [name, simulated],
  );

const gridOf = (row: Row): GridRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isDecimal = DECIMALS.includes(name) && value !== null;
      return [name, isDecimal ? decimal(value as string) : value];
    }),
  ) as GridRow;
