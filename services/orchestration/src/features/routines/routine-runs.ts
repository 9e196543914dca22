import { ask, type Database, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RoutineRunDetailView, RoutineRunView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeCursor, page } from '../../lists/page';
import { callbackOfSql } from '../../state/deliveries/insert-callback';
import { RUN, selectRun } from '../../state/routines/run-columns';

export async function listRoutineRuns(
  call: Call,
  routineId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { companyId, db } = call;
  const [time, id] = decodeCursor(query.cursor, ['time', 'id']) ?? NEWEST;
  const before = { time: time as string, id: id as string };
  const rows = await ask(db, newestRuns, {
    companyId,
    routineId,
    ...before,
    take: query.limit + 1,
  });
  return page(
    rows,
    query.limit,
    (row) => row as RoutineRunView,
    (row) => [row.createdAt, row.id],
  );
}

const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

export async function getRoutineRun(call: Call, id: string): Promise<RoutineRunDetailView> {
  const [run] = await ask(call.db, wholeRun, { id });
  if (!run) throw notFound('routine run');
  return run as RoutineRunDetailView;
}

export async function findFiredRun(db: Database, id: string): Promise<RoutineRunView> {
  const [run] = await ask(db, briefRun, { id });
  if (!run) throw notFound('routine run');
  return run as RoutineRunView;
}

const newestRuns = statement('newest-routine-runs', {
  takes: { companyId: 'uuid', routineId: 'uuid', time: 'time', id: 'uuid', take: 'int' },
  gives: RUN,
  sql: (p) => `
    SELECT ${selectRun('brief')} FROM routine_run run
    WHERE run.company_id = ${p.companyId} AND run.routine_id = ${p.routineId}
      AND (run.created_at, run.id) < (${p.time}, ${p.id})
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${p.take}`,
});

const wholeRun = statement('whole-routine-run', {
  takes: { id: 'uuid' },
  gives: { ...RUN, callback: 'text?' },
  sql: ({ id }) =>
    `SELECT ${selectRun('whole')}, ${callbackOfSql('run.id')} AS callback FROM routine_run run WHERE run.id = ${id}`,
});

const briefRun = statement('brief-routine-run', {
  takes: { id: 'uuid' },
  gives: RUN,
  sql: ({ id }) => `SELECT ${selectRun('brief')} FROM routine_run run WHERE run.id = ${id}`,
});
