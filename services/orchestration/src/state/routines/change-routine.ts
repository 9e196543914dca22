import { ask, columnValues, insertedFields, newId, setFields, statement } from '@switchyard/db';
import type { CreateRoutineBody, UpdateRoutineBody } from '@switchyard/types';
import { createdBy } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';
import type { LockedRoutine } from './lock-routine';

export async function insertRoutine(tx: Tx, fields: CreateRoutineBody): Promise<string> {
  const id = newId();
  const data = { ...DEFAULTS, ...fields, id, companyId: tx.companyId, ...createdBy(tx) };
  await ask(tx, insertRow, { values: columnValues(data) });
  await assertTextFits(tx);
  const { title, assigneeAgentId } = fields;
  await tx.record('routine.created', id, { title, assigneeAgentId });
  return id;
}

export async function changeRoutine(
  tx: Tx,
  before: LockedRoutine,
  fields: UpdateRoutineBody,
  changed: string[],
): Promise<void> {
  const { id, status: from } = before;
  await ask(tx, updateRow, { id, values: columnValues(fields) });
  if (changed.includes('title') || changed.includes('description')) await assertTextFits(tx);
  const { status: to = from } = fields;
  await tx.record('routine.updated', id, { changed, ...(to !== from && { from, to }) });
}

const DEFAULTS = {
  priority: 'medium',
  status: 'active',
  concurrencyPolicy: 'coalesce_if_active',
  catchUpPolicy: 'skip_missed',
} as const;

const WRITABLE = [
  'title',
  'description',
  'assignee_agent_id',
  'project_id',
  'goal_id',
  'parent_issue_id',
  'priority',
  'status',
  'concurrency_policy',
  'catch_up_policy',
];
const INSERTED = ['id', 'company_id', 'created_by_agent_id', 'created_by_user_id', ...WRITABLE];

const insertRow = statement('insert-routine', {
  takes: { values: 'json' },
  gives: {},
  sql: ({ values }) => `
    INSERT INTO routine ${insertedFields('routine', INSERTED, values)}`,
});

const updateRow = statement('update-routine', {
  takes: { id: 'uuid', values: 'json' },
  gives: {},
  sql: ({ id, values }) => `
    UPDATE routine SET ${setFields('routine', WRITABLE, values)} WHERE routine.id = ${id}`,
});
