import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { CompanyView } from '@switchyard/types';
import type { Actor } from '../../access/actor';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { spentByCompany } from '../../state/budgets/spent';
import { presentCompany } from './present-company';

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
