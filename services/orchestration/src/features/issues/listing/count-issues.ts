import { ask, askAfresh, statement } from '@switchyard/db';
import type { CountIssuesQuery, IssueCounts } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { presentIssueCounts } from '../../../lists/row-facts';
import { withNamedPerson } from './choice';
import { isCounted, NARROWING, narrowingOf, statusesOf } from './narrowing';
import { type Sought, seekIssues } from './sought-issues';

export async function countIssues(call: Call, asked: CountIssuesQuery): Promise<IssueCounts> {
  const query = withNamedPerson(call, asked);
  return presentIssueCounts(await countByStatus(call, query, await seekIssues(call, query)));
}

export type StatusCounts = Partial<Record<string, number>>;

export async function countByStatus(
  call: Call,
  query: CountIssuesQuery,
  sought: Sought | null,
): Promise<StatusCounts> {
  const counts = isOfCompany(query)
    ? await readTally(call)
    : await countChosen(call, query, sought);
  return Object.fromEntries(statusesOf(query).map((status) => [status, counts[status] ?? 0]));
}

function isOfCompany({ status: _, unassigned, ...filters }: CountIssuesQuery): boolean {
  return unassigned === 'false' && Object.values(filters).every((value) => value === undefined);
}

async function readTally({ db, companyId }: Call): Promise<StatusCounts> {
  const rows = await ask(db, tallyOfCompany, { companyId });
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

const tallyOfCompany = statement('tally-issues', {
  takes: { companyId: 'uuid' },
  gives: { status: 'text', n: 'int' },
  sql: ({ companyId }) => `
    SELECT status, sum(n)::int AS n FROM (
      SELECT status, n FROM status_tally WHERE company_id = ${companyId} AND counted = 'issue'
      UNION ALL SELECT status, n FROM status_change WHERE company_id = ${companyId} AND counted = 'issue'
    ) part GROUP BY status`,
});

async function countChosen(
  call: Call,
  query: CountIssuesQuery,
  sought: Sought | null,
): Promise<StatusCounts> {
  if (!sought) return {};
  const { companyId, db } = call;
  const values = { companyId, ids: sought.ids, ...narrowingOf(query, sought) };
  const rows = await askAfresh(db, countNarrowed, values);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

const countNarrowed = statement('count-issues', {
  takes: { companyId: 'uuid', ids: 'uuid[]?', ...NARROWING },
  gives: { status: 'text', n: 'int' },
  sql: (p) => `
    SELECT i.status, count(*)::int AS n FROM issue i
    WHERE ${isCounted(p)} AND i.status = ANY (${p.statuses}) AND (${p.ids} IS NULL OR i.id = ANY (${p.ids}))
    GROUP BY i.status`,
});
