import type { Row, Storing } from './kind';

/**
 * Stores snapshots in one statement. Keys are column names in snake case or camel case; decimals
 * are texts.
 */
export async function insertRows(
  { tx, common }: Pick<Storing, 'tx' | 'common'>,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const shared = byColumns({ ...common, collectionRef: common.collectionRef.toString() });
  const names = Object.keys(first).map((name) => [name, columnOf(name)] as const);
  const columns = [...Object.keys(shared), ...names.map(([, column]) => column)].join(', ');
  const data = rows.map((row) => Object.fromEntries(names.map(([name, to]) => [to, row[name]])));
  await tx.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(json_populate_record(NULL::${table}, $1::json), $2::json)`,
    [JSON.stringify(shared), JSON.stringify(data)],
  );
}

const byColumns = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]));

const columnOf = (name: string): string =>
  name.replace(/([a-z])([A-Z]|\d)/g, '$1_$2').toLowerCase();
