import { type Database, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { CompanyView } from '@switchyard/types';
import type { Actor } from '../../access/actor';
import type { Call } from '../../call';
import { THIS_MONTH } from '../../month';
import { newestCursor, newestFirst, page } from '../../page';
import { presentCompany } from './present-company';

/** Cents that each company spent in the present UTC month; companies without spend are absent. */
export async function spentByCompany(db: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.prisma.$queryRaw<{ id: string; spent: number }[]>`
    SELECT company_id AS id, sum(cost_cents)::float8 AS spent FROM agent_month
    WHERE company_id = ANY (${ids}::uuid[]) AND month = ${Prisma.raw(THIS_MONTH)}
    GROUP BY company_id`;
  return new Map(rows.map((row) => [row.id, row.spent]));
}

export async function getCompany(db: Database, id: string): Promise<CompanyView> {
  const company = await db.prisma.company.findUnique({ where: { id } });
  if (!company) throw notFound('company');
  const spent = await spentByCompany(db, [id]);
  return presentCompany(company, spent.get(id) ?? 0);
}

/** Which companies are the caller's: an agent's own, a person's memberships, in local trusted mode all. */
function ownCompanies(actor: Actor) {
  if (actor.type === 'agent') return { id: actor.companyId };
  if (actor.type === 'board' && actor.roles !== 'all')
    return { id: { in: [...actor.roles.keys()] } };
  return {};
}

/** The companies the caller may access (spec, "Companies"). */
export async function listCompanies(
  call: Call<string | null>,
  query: { limit: number; cursor?: string | undefined; includeArchived: 'true' | 'false' },
) {
  const { after, orderBy, take } = newestFirst(query);
  const { prisma } = call.db;
  const rows = await prisma.company.findMany({
    where: {
      ...ownCompanies(call.actor),
      ...(query.includeArchived === 'false' && { status: { not: 'archived' } }),
      AND: after,
    },
    orderBy,
    take,
  });
  const ids = rows.map((row) => row.id);
  const spent = await spentByCompany(call.db, ids);
  return page(
    rows,
    query.limit,
    (row) => presentCompany(row, spent.get(row.id) ?? 0),
    newestCursor,
  );
}
