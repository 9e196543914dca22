import type { Harness } from './harness';

export type CompanyRows = [table: string, rows: unknown[]][];

export async function rowsOf(
  { context }: Pick<Harness, 'context'>,
  companyId: string,
): Promise<CompanyRows> {
  const { pool } = context.db;
  const tables = await pool.query<{ name: string }>(
    `SELECT table_name::text AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'company_id'`,
  );
  const found: CompanyRows = [];
  for (const [name, key] of [
    ['company', 'id'],
    ...tables.rows.map((row) => [row.name, 'company_id']),
  ]) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(t) AS row FROM "${name}" t WHERE "${key}" = $1 ORDER BY t::text`,
      [companyId],
    );
    if (rows.length > 0) found.push([name as string, rows.map(({ row }) => row)]);
  }
  return found.sort(([one], [other]) => (one < other ? -1 : 1));
}
