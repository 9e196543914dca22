import { ask, bind, newId, statement, trip } from '@switchyard/db';
import type { CreateCompanyBody } from '@switchyard/types';
import { recordActivities } from '../../kernel/activity';
import type { Tx } from '../../kernel/call';

export async function foundCompany(
  tx: Tx<string | null>,
  { name, description = null, budgetMonthlyCents = 0 }: CreateCompanyBody,
): Promise<string> {
  const { actor } = tx;
  const id = newId();
  const prefix = await freePrefix(tx, name);
  await ask(tx, insertCompany, { id, name, description, budgetMonthlyCents, prefix });
  if (actor.type === 'board' && actor.roles !== 'all') {
    const membership = { companyId: id, userId: actor.userId, role: 'owner' };
    await tx.prisma.membership.create({ data: { id: newId(), ...membership } });
  }
  const action = 'company.created';
  await recordActivities(tx, [{ companyId: id, actor, action, entityId: id, details: { name } }]);
  return id;
}

/** Serialises the founding of companies with the same stem, so that they get different prefixes. */
async function freePrefix(tx: Tx<string | null>, name: string): Promise<string> {
  const stem = issuePrefix(name, 0);
  const taken = await trip(tx, [bind(lockPrefixes, { key: `prefix:${stem}` })], readPrefixes, {
    stem,
  });
  const names = new Set(taken.map((row) => row.prefix));
  let attempt = 0;
  while (names.has(issuePrefix(name, attempt))) attempt++;
  return issuePrefix(name, attempt);
}

const lockPrefixes = statement('lock-issue-prefixes', {
  takes: { key: 'text' },
  gives: {},
  sql: ({ key }) =>
    `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))) locked`,
});

const readPrefixes = statement('read-issue-prefixes', {
  takes: { stem: 'text' },
  gives: { prefix: 'text' },
  sql: ({ stem }) => `
    SELECT issue_prefix AS prefix FROM company WHERE starts_with(issue_prefix, ${stem})`,
});

const insertCompany = statement('insert-company', {
  takes: {
    id: 'uuid',
    name: 'text',
    description: 'text?',
    budgetMonthlyCents: 'bigint',
    prefix: 'text',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO company (id, name, description, budget_monthly_cents, issue_prefix)
    VALUES (${p.id}, ${p.name}, ${p.description}, ${p.budgetMonthlyCents}, ${p.prefix})`,
});

/**
 * Returns the prefix of a company's issue identifiers (`ACM-42`): the first letter of its name and
 * the next two consonants, or the first three letters. Adds a number if `attempt` > 0.
 */
export function issuePrefix(name: string, attempt: number): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  const consonants = (letters[0] ?? '') + letters.slice(1).replace(/[AEIOU]/g, '');
  const base = (consonants.length >= 3 ? consonants : letters).slice(0, 3) || 'CO';
  return attempt === 0 ? base : `${base}${attempt + 1}`;
}
