import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from '@switchyard/db';

const FILE = join(__dirname, '../../assets/invariants.sql');
const NAME = /'(\w+)' AS violated/;
const MOST_EXAMPLES = 5;

export interface Invariant {
  name: string;
  query: string;
}

export interface Violated {
  violations: number;
  examples: { companyId: string; id: string }[];
}

export const readInvariants = (): Invariant[] =>
  readFileSync(FILE, 'utf8')
    .split(/;$/m)
    .flatMap((query) => {
      const name = NAME.exec(query)?.[1];
      return name ? [{ name, query }] : [];
    });

export async function checkInvariant(
  db: Pick<Pool, 'query'>,
  { query }: Invariant,
): Promise<Violated> {
  const { rows } = await db.query<Violated>(`
    SELECT count(*)::int AS violations, coalesce(jsonb_agg(jsonb_build_object('companyId', company_id, 'id', id))
      FILTER (WHERE place <= ${MOST_EXAMPLES}), '[]') AS examples
    FROM (SELECT company_id, id, row_number() OVER () AS place FROM (${query}) violating) numbered`);
  return rows[0] as Violated;
}
