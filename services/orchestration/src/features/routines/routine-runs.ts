import { type Database, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RoutineRunView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, newestCursor, page } from '../../lists/page';
import { presentRoutineRun, type RoutineRunRow, runColumns } from './present-routine-run';

async function findRun(db: Database, id: string, payload: 'whole' | 'brief') {
  const [row] = await db.prisma.$queryRaw<RoutineRunRow[]>`
    SELECT ${runColumns(payload)} FROM routine_run run WHERE run.id = ${id}::uuid`;
  if (!row) throw notFound('routine run');
  return presentRoutineRun(row);
}

/** With its payload, however large. */
export function getRoutineRun(db: Database, id: string): Promise<RoutineRunView> {
  return findRun(db, id, 'whole');
}

/** As whoever fired it is answered. */
export function getFiredRun(db: Database, id: string): Promise<RoutineRunView> {
  return findRun(db, id, 'brief');
}

/** Newest first; SQL by hand for the reason that `listIssues` gives (guarantee G28). */
export async function listRoutineRuns(
  call: Call,
  routineId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const [time, id] = cursor ?? [];
  const after = cursor
    ? Prisma.sql`AND (run.created_at, run.id) < (${time}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  const rows = await call.db.prisma.$queryRaw<RoutineRunRow[]>`
    SELECT ${runColumns('brief')} FROM routine_run run
    WHERE run.company_id = ${call.companyId}::uuid AND run.routine_id = ${routineId}::uuid ${after}
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${query.limit + 1}`;
  return page(rows, query.limit, presentRoutineRun, newestCursor);
}
