import { ask, type RowOf, select, statement } from '@switchyard/db';
import { notFound, Reply } from '@switchyard/server';
import type { CompanyView, ListedCompanyView, Role } from '@switchyard/types';
import type { Actor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { type Cursor, newestStart, page } from '../../lists/page';
import { companySpend } from '../../state/budgets/spent';
import { isDeletedSql } from '../../state/companies/deleted';
import { OLDEST_OPEN_TRANSACTION } from '../events/oldest-open-transaction';
import { beginningOf, EVENT_POSITION, formatPosition } from '../events/position';

export async function getCompany({
  db,
  companyId,
}: Pick<Call, 'db' | 'companyId'>): Promise<CompanyView> {
  const [company] = await ask(db, readCompany, { companyId });
  if (!company) throw notFound('company');
  return present(company);
}

export async function listCompanies(
  call: Call<string | null>,
  query: { limit: number; cursor?: string | undefined; includeArchived: 'true' | 'false' },
) {
  const rows = await ask(call.db, readCompanies, {
    ids: ownCompanies(call.actor),
    includesArchived: query.includeArchived === 'true',
    ...newestStart(query),
    take: query.limit + 1,
  });
  const { body, options } = page(
    rows,
    query.limit,
    ({ runningRuns, horizon: _, ...row }): ListedCompanyView => ({
      ...present(row),
      role: roleIn(call.actor, row.id),
      runningRuns,
    }),
    (row): Cursor => [row.createdAt, row.id],
  );
  const [first] = rows;
  if (!first) return new Reply(body, options);
  const position = formatPosition(beginningOf(first.horizon));
  return new Reply(body, { headers: { ...options.headers, [EVENT_POSITION]: position } });
}

function roleIn(actor: Actor, companyId: string): Role | null {
  if (actor.type !== 'board') return null;
  return actor.roles === 'all' ? 'owner' : (actor.roles.get(companyId) ?? null);
}

function ownCompanies(actor: Actor): string[] | null {
  if (actor.type === 'agent') return [actor.companyId];
  return actor.type === 'board' && actor.roles !== 'all' ? [...actor.roles.keys()] : null;
}

function present({ status, ...row }: RowOf<typeof readCompany>): CompanyView {
  const logoUrl = row.logoAssetId && `/api/assets/${row.logoAssetId}/content`;
  return { ...row, status: status as CompanyView['status'], logoUrl };
}

const STORED = {
  id: 'uuid',
  name: 'text',
  description: 'text?',
  status: 'text',
  issuePrefix: 'text',
  logoAssetId: 'uuid?',
  budgetMonthlyCents: 'bigint',
  egressAllowList: 'text[]?',
  runWeight: 'int',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const COMPANY = { ...STORED, spentMonthlyCents: 'bigint' } as const;
const columns = `${select(STORED, 'c')}, ${companySpend('c.id')} AS "spentMonthlyCents"`;

const readCompany = statement('read-company', {
  takes: { companyId: 'uuid' },
  gives: COMPANY,
  sql: ({ companyId }) => `SELECT ${columns} FROM company c WHERE c.id = ${companyId}`,
});

const readCompanies = statement('read-companies', {
  takes: {
    ids: 'uuid[]?',
    includesArchived: 'bool',
    beforeTime: 'time',
    beforeId: 'uuid',
    take: 'int',
  },
  gives: { ...COMPANY, runningRuns: 'int', horizon: 'text' },
  sql: (p) => `
    SELECT ${columns}, (SELECT count(*)::int FROM heartbeat_run r
      WHERE r.company_id = c.id AND r.status = 'running') AS "runningRuns",
      (SELECT open.xid::text FROM (${OLDEST_OPEN_TRANSACTION}) open) AS horizon
    FROM company c
    WHERE (${p.ids} IS NULL OR c.id = ANY (${p.ids}))
      AND (${p.includesArchived} OR c.status <> 'archived') AND NOT ${isDeletedSql('c.id')}
      AND (c.created_at, c.id) < (${p.beforeTime}, ${p.beforeId})
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${p.take}`,
});
