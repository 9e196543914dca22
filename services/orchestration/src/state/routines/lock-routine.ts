import { ask, type RowOf, select, statement, type Transaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';

/**
 * Call before locking company, agent, run or issue, because a firing reads the active run before it
 * creates rows.
 */
export async function lockRoutine(tx: Transaction, routineId: string): Promise<LockedRoutine> {
  const [routine] = await ask(tx, lockRoutineRow, { routineId });
  if (!routine) throw notFound('routine');
  return routine;
}

export const ROUTINE = {
  id: 'uuid',
  companyId: 'uuid',
  title: 'text',
  description: 'text?',
  assigneeAgentId: 'uuid',
  projectId: 'uuid',
  goalId: 'uuid?',
  parentIssueId: 'uuid?',
  priority: 'text',
  status: 'text',
  concurrencyPolicy: 'text',
  catchUpPolicy: 'text',
} as const;

const lockRoutineRow = statement('lock-routine', {
  takes: { routineId: 'uuid' },
  gives: ROUTINE,
  sql: ({ routineId }) =>
    `SELECT ${select(ROUTINE, 'r')} FROM routine r WHERE r.id = ${routineId} FOR NO KEY UPDATE`,
});

export type LockedRoutine = RowOf<typeof lockRoutineRow>;
