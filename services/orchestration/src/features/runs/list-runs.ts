import { ask, type Columns, select, statement } from '@switchyard/db';
import { type ListRunsQuery, RUN_STATUSES } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeCursor, page } from '../../lists/page';
import { RUN } from '../../state/runs/runs';
import { LISTED_RUN, presentListedRun, selectListedRun } from './listed-run';
import { isNarrowed, readNarrowed } from './narrowed-runs';

export async function listRuns(call: Call, query: ListRunsQuery) {
  const { limit, agentId = null, issueId = null } = query;
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  if (isNarrowed(query)) {
    const rows = await readNarrowed(call, query, { cursor, take: limit + 1 });
    return page(rows, limit, presentListedRun, ({ createdAt, id }) => [createdAt, id]);
  }
  const by = narrowestOf(query);
  const statuses = query.status ?? (by === 'agent' ? [...RUN_STATUSES] : null);
  const rows = await ask(call.db, cursor ? LATER_PAGES[by] : FIRST_PAGES[by], {
    companyId: call.companyId,
    agentId,
    issueId,
    statuses: statuses && [...new Set(statuses)],
    time: (cursor?.[0] as string | undefined) ?? null,
    id: (cursor?.[1] as string | undefined) ?? null,
    take: limit + 1,
  });
  return page(rows, limit, presentListedRun, ({ createdAt, id }) => [createdAt, id]);
}

type Narrowing = 'issue' | 'agent' | 'status' | 'company';

function narrowestOf({ issueId, agentId, status }: ListRunsQuery): Narrowing {
  if (issueId) return 'issue';
  if (agentId) return 'agent';
  return status ? 'status' : 'company';
}

const PLACE = { time: 'time', id: 'uuid' } as const;

const pagesBy = (isLater: boolean) => ({
  issue: pageBy(
    'issue',
    isLater,
    { issueId: 'uuid', agentId: 'uuid?', statuses: 'text[]?' },
    ofIssue,
  ),
  agent: pageBy('agent', isLater, { agentId: 'uuid', statuses: 'text[]' }, (p, more) =>
    perStatus(p, `r.company_id = ${p.companyId} AND r.agent_id = ${p.agentId} ${more}`),
  ),
  status: pageBy('status', isLater, { statuses: 'text[]' }, (p, more) =>
    perStatus(p, `r.company_id = ${p.companyId} ${more}`),
  ),
  company: pageBy('company', isLater, {}, (p, more) =>
    newest(p, `r.company_id = ${p.companyId} ${more}`),
  ),
});

const FIRST_PAGES = pagesBy(false);
const LATER_PAGES = pagesBy(true);

type Parameters = Readonly<Record<string, string>>;

function pageBy(
  by: Narrowing,
  isLater: boolean,
  filters: Columns,
  rowsOf: (parameters: Parameters, more: string) => string,
) {
  const takes: Columns = { companyId: 'uuid', take: 'int', ...filters, ...(isLater && PLACE) };
  const more = (p: Parameters) =>
    isLater ? `AND (r.created_at, r.id) < (${p.time}, ${p.id})` : '';
  return statement(`list-runs-by-${by}${isLater ? '-later' : ''}`, {
    takes,
    gives: LISTED_RUN,
    sql: (p) => `
      SELECT ${selectListedRun('r')} FROM (${rowsOf(p, more(p))}) r
      ORDER BY r."createdAt" DESC, r.id DESC`,
  });
}

function newest(p: Parameters, where: string, limit = p.take): string {
  return `SELECT ${select(RUN, 'r')} FROM heartbeat_run r WHERE ${where}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`;
}

/**
 * Uses only the index of the issue, because an issue has few runs. `IS TRUE` keeps PostgreSQL from
 * also scanning the agent's larger index.
 */
function ofIssue(p: Parameters, more: string): string {
  return newest(
    p,
    `r.company_id = ${p.companyId} AND r.issue_id = ${p.issueId}
      AND (${p.agentId} IS NULL OR r.agent_id = ${p.agentId}) IS TRUE
      AND (${p.statuses} IS NULL OR r.status = ANY (${p.statuses})) IS TRUE ${more}`,
  );
}

/**
 * Merges one limited SELECT per status until the page is full; 0 skips a status. A single SELECT
 * would sort every match.
 */
function perStatus(p: Parameters, where: string): string {
  const ofEach = RUN_STATUSES.map((status) => {
    const limit = `CASE WHEN '${status}' = ANY (${p.statuses}) THEN ${p.take} ELSE 0 END`;
    return `(${newest(p, `r.status = '${status}' AND ${where}`, limit)})`;
  });
  return `SELECT * FROM (${ofEach.join(' UNION ALL ')}) r
    ORDER BY r."createdAt" DESC, r.id DESC LIMIT ${p.take}`;
}
