import {
  ask,
  columnValues,
  insertedFields,
  type RoutineTriggerModel,
  setFields,
  statement,
} from '@switchyard/db';
import type { Tx } from '../../kernel/call';

type Trigger = Pick<RoutineTriggerModel, 'id' | 'routineId'>;
type NewTrigger = Trigger &
  Pick<RoutineTriggerModel, 'companyId' | 'kind' | 'label' | 'enabled'> &
  TriggerColumns;

export async function insertTrigger(tx: Tx, data: NewTrigger): Promise<void> {
  await ask(tx, insertRow, { values: columnValues({ secretVersion: 0, ...data }) });
  const { id, routineId, kind, label } = data;
  await tx.record('routine_trigger.created', id, { routineId, kind, label });
}

export async function changeTrigger(
  tx: Tx,
  { id, routineId }: Trigger,
  columns: TriggerColumns,
  changed: string[],
): Promise<void> {
  await ask(tx, updateRow, { id, values: columnValues(columns) });
  await tx.record('routine_trigger.updated', id, { routineId, changed });
}

export async function rotateTrigger(
  tx: Tx,
  { id, routineId }: Trigger,
  columns: TriggerColumns,
): Promise<void> {
  await ask(tx, updateRow, { id, values: columnValues(columns) });
  await tx.record('routine_trigger.rotated', id, { routineId });
}

export async function deleteTriggerRow(tx: Tx, trigger: RoutineTriggerModel): Promise<void> {
  const { id, routineId, kind, label } = trigger;
  await ask(tx, deleteRow, { id });
  await tx.record('routine_trigger.deleted', id, { routineId, kind, label });
}

export async function setNextRun(tx: Tx, id: string, nextRunAt: Date | null): Promise<void> {
  await ask(tx, updateRow, { id, values: columnValues({ nextRunAt }) });
}

type TriggerColumns = Partial<
  Omit<RoutineTriggerModel, 'id' | 'companyId' | 'routineId' | 'kind' | 'createdAt' | 'updatedAt'>
>;

const WRITABLE = [
  'label',
  'enabled',
  'cron_expression',
  'timezone',
  'next_run_at',
  'signing_mode',
  'replay_window_sec',
  'secret_version',
  'secret_key_id',
  'secret_ciphertext',
  'made_by_agent',
];
const INSERTED = ['id', 'company_id', 'routine_id', 'kind', 'public_id', ...WRITABLE];
const CHANGED = [...WRITABLE, 'failure_count', 'failure_reason'];

const insertRow = statement('insert-trigger', {
  takes: { values: 'json' },
  gives: {},
  sql: ({ values }) => `
    INSERT INTO routine_trigger ${insertedFields('routine_trigger', INSERTED, values)}`,
});

const updateRow = statement('update-trigger', {
  takes: { id: 'uuid', values: 'json' },
  gives: {},
  sql: ({ id, values }) => `
    UPDATE routine_trigger SET ${setFields('routine_trigger', CHANGED, values)}
    WHERE routine_trigger.id = ${id}`,
});

const deleteRow = statement('delete-trigger', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `DELETE FROM routine_trigger WHERE id = ${id}`,
});
