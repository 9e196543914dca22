import { joinSql, type Prisma, prismaSql } from '@switchyard/db';

/**
 * One SELECT for each status, each in the order of the list and with its limit: PostgreSQL reads each
 * from an index and merges them, and stops when the page is full. An `IN` would make it sort every row
 * that fits, or read past every row that does not. `null` is one SELECT over every status.
 */
export function unionPerStatus(
  statuses: readonly string[] | null,
  conditions: readonly Prisma.Sql[],
  select: (where: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql {
  const where = (all: readonly Prisma.Sql[]) => joinSql([...all], ' AND ');
  if (statuses === null) return select(where(conditions));
  const parts = [...new Set(statuses)].map((status) => {
    const one = prismaSql`status = ${status}`;
    return prismaSql`(${select(where([...conditions, one]))})`;
  });
  return joinSql(parts, ' UNION ALL ');
}
