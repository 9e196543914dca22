import type { Row, Storing } from './kind';

/**
 * Stores snapshots of a kind, each an object by the columns of its table; decimals are texts, times ISO 8601. One
 * statement, whatever their number.
 */
export async function insertRows(
  { tx, common }: Storing,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const shared = {
    collection_ref: common.collectionRef.toString(),
    captured_at: common.capturedAt.toISOString(),
    exchange: common.exchange,
    simulated: common.simulated,
  };
  const columns = Object.keys({ ...shared, ...first }).join(', ');
  const data = JSON.stringify(rows.map((row) => ({ ...shared, ...row })));
  await tx.$executeRawUnsafe(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    data,
  );
}
