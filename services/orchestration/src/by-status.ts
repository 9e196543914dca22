import { Prisma } from '@switchyard/db';

/**
 * One SELECT for each status, of which PostgreSQL merges the index orders; an `IN` would make it sort
 * every row that fits, or read past every row that does not. `null` is one SELECT of every status.
 */
export function byStatus(
  statuses: readonly string[] | null,
  select: (status: Prisma.Sql | null) => Prisma.Sql,
): Prisma.Sql {
  if (statuses === null) return select(null);
  const parts = [...new Set(statuses)].map((status) => select(Prisma.sql`status = ${status}`));
  return Prisma.join(parts, ' UNION ALL ');
}
