import { type HeartbeatRunModel, Prisma } from '@switchyard/db';
import { type HeartbeatRunView, type ListRunsQuery, RUN_STATUSES } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, newestCursor, page } from '../../lists/page';
import { unionPerStatus } from '../../lists/union-per-status';
import { presentRun } from './present-run';

const COLUMNS = Prisma.raw(
  [
    'id',
    'company_id AS "companyId"',
    'agent_id AS "agentId"',
    'status',
    'source',
    'wake_reasons AS "wakeReasons"',
    'issue_id AS "issueId"',
    'routine_run_id AS "routineRunId"',
    'retry_of_run_id AS "retryOfRunId"',
    'attempt',
    'started_at AS "startedAt"',
    'finished_at AS "finishedAt"',
    'exit_code AS "exitCode"',
    'error_code AS "errorCode"',
    'error',
    'input_tokens AS "inputTokens"',
    'output_tokens AS "outputTokens"',
    'cost_cents AS "costCents"',
    'unpriced_events AS "unpricedEvents"',
    'log_bytes AS "logBytes"',
    'created_at AS "createdAt"',
  ].join(', '),
);

/**
 * The runs of one issue are few, so its index serves every further filter; `IS TRUE` keeps PostgreSQL
 * from joining in the index of an agent that has ever more of them.
 */
function ofIssue({ issueId, agentId, status }: ListRunsQuery): Prisma.Sql[] {
  return [
    Prisma.sql`issue_id = ${issueId}::uuid`,
    ...(agentId ? [Prisma.sql`(agent_id = ${agentId}::uuid) IS TRUE`] : []),
    ...(status ? [Prisma.sql`(status = ANY (${status})) IS TRUE`] : []),
  ];
}

/** Lists carry no large texts: what a wake brought along is told with the run itself. */
function presentRunInList(row: HeartbeatRunModel): HeartbeatRunView {
  const run = presentRun(row);
  const wakeReasons = run.wakeReasons.map((wake) => ({ ...wake, payload: null }));
  return { ...run, wakeReasons };
}

/** Newest first. SQL by hand for the reason that `listIssues` gives (guarantee G28). */
export async function listRuns(call: Call, query: ListRunsQuery) {
  const { limit, agentId, issueId } = query;
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const conditions = [Prisma.sql`company_id = ${call.companyId}::uuid`];
  if (issueId) conditions.push(...ofIssue(query));
  else if (agentId) conditions.push(Prisma.sql`agent_id = ${agentId}::uuid`);
  if (cursor) {
    const [time, id] = cursor;
    conditions.push(Prisma.sql`(created_at, id) < (${time}::timestamptz, ${id}::uuid)`);
  }
  const parts = unionPerStatus(
    issueId ? null : (query.status ?? (agentId ? RUN_STATUSES : null)),
    conditions,
    (where) => Prisma.sql`
      SELECT ${COLUMNS} FROM heartbeat_run WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  );
  const rows = await call.db.prisma.$queryRaw<HeartbeatRunModel[]>`
    SELECT * FROM (${parts}) run ORDER BY "createdAt" DESC, id DESC LIMIT ${limit + 1}`;
  return page(rows, limit, presentRunInList, newestCursor);
}
