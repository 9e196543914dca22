import { Prisma, type Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { RoutineRunView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { decodeCursor, newestCursor, page } from '../../page';
import { presentRoutineRun, type RoutineRunRow, runColumns } from './present-routine-run';

async function findRun(db: Reader, id: string, payload: 'whole' | 'brief') {
  const [row] = await db.$queryRaw<RoutineRunRow[]>`
    SELECT ${runColumns(payload)} FROM routine_run run WHERE run.id = ${id}::uuid`;
  if (!row) throw notFound('routine run');
  return presentRoutineRun(row);
}

/** With its payload, however large. */
export function getRoutineRun(db: Reader, id: string): Promise<RoutineRunView> {
  return findRun(db, id, 'whole');
}

/** As whoever fired it is answered. */
export function getFiredRun(db: Reader, id: string): Promise<RoutineRunView> {
  return findRun(db, id, 'brief');
}

/** Newest first; SQL by hand for the reason that `listIssues` gives (guarantee G28). */
export async function listRoutineRuns(
  scope: Scope,
  routineId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const [time, id] = cursor ?? [];
  const after = cursor
    ? Prisma.sql`AND (run.created_at, run.id) < (${time}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  const rows = await scope.db.prisma.$queryRaw<RoutineRunRow[]>`
    SELECT ${runColumns('brief')} FROM routine_run run
    WHERE run.company_id = ${scope.companyId}::uuid AND run.routine_id = ${routineId}::uuid ${after}
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${query.limit + 1}`;
  return page(rows, query.limit, presentRoutineRun, newestCursor);
}
