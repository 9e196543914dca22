import { type Database, inTransaction, newId, type Tx } from '@switchyard/db';
import type { CompanyView, CreateCompanyBody } from '@switchyard/types';
import type { Actor } from '../../access/actor';
import { assertMayFound } from '../../access/rules';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { issuePrefix } from './issue-prefix';
import { presentCompany } from './present-company';

/** Prefixes of one stem are handed out one after the other, so that two equal names do not collide. */
async function freePrefix(tx: Tx, name: string): Promise<string> {
  const stem = issuePrefix(name, 0);
  await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`prefix:${stem}`}, 0))) lock`;
  const taken = await tx.company.findMany({
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
 * @throws Refusal 403 `administrators_only` for whom COMPANY_FOUNDERS leaves out
 */
export async function createCompany(
  { config }: Pick<Effects, 'config'>,
  scope: { db: Database; actor: Actor },
  body: CreateCompanyBody,
): Promise<CompanyView> {
  const { actor } = scope;
  assertMayFound(actor, config.companyFounders);
  return inTransaction(scope.db, async (tx) => {
    const company = await tx.company.create({
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
      await tx.membership.create({ data: { id: newId(), ...membership } });
    }
    await recordActivity(tx, {
      companyId: company.id,
      actor,
      action: 'company.created',
      entityType: 'company',
      entityId: company.id,
      details: { name: company.name },
    });
    return presentCompany(company, 0);
  });
}
