import { newId, type Transaction } from '@switchyard/db';
import type { CompanyView, CreateCompanyBody } from '@switchyard/types';
import { assertMayFound } from '../../access/rules';
import { type Call, inTransaction } from '../../call';
import { recordActivities } from '../../state/activity';
import { issuePrefix } from './issue-prefix';
import { presentCompany } from './present-company';

/** Prefixes of one stem are handed out one after the other, so that two equal names do not collide. */
async function freePrefix(tx: Transaction, name: string): Promise<string> {
  const stem = issuePrefix(name, 0);
  await tx.prisma
    .$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`prefix:${stem}`}, 0))) lock`;
  const taken = await tx.prisma.company.findMany({
    where: { issuePrefix: { startsWith: stem } },
    select: { issuePrefix: true },
  });
  const names = new Set(taken.map((row) => row.issuePrefix));
  let attempt = 0;
  while (names.has(issuePrefix(name, attempt))) attempt++;
  return issuePrefix(name, attempt);
}

/**
 * Who founds a company owns it.
 * @throws ApiError 403 `administrators_only` for whom COMPANY_FOUNDERS leaves out
 */
export async function createCompany(
  call: Call<string | null>,
  body: CreateCompanyBody,
): Promise<CompanyView> {
  const { actor } = call;
  assertMayFound(actor, call.context.config.companyFounders);
  return inTransaction(call, async (tx) => {
    const company = await tx.prisma.company.create({
      data: {
        id: newId(),
        name: body.name,
        description: body.description ?? null,
        budgetMonthlyCents: body.budgetMonthlyCents ?? 0,
        issuePrefix: await freePrefix(tx, body.name),
      },
    });
    if (actor.type === 'board' && actor.roles !== 'all') {
      const membership = { companyId: company.id, userId: actor.userId, role: 'owner' };
      await tx.prisma.membership.create({ data: { id: newId(), ...membership } });
    }
    await recordActivities(tx, [
      {
        companyId: company.id,
        actor,
        action: 'company.created',
        entityType: 'company',
        entityId: company.id,
        details: { name: company.name },
      },
    ]);
    return presentCompany(company, 0);
  });
}
