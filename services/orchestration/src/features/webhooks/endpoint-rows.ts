import {
  ask,
  columnValues,
  type EndpointModel,
  insertedFields,
  setFields,
  statement,
} from '@switchyard/db';
import type { Tx } from '../../kernel/call';

type EndpointColumns = Partial<Omit<EndpointModel, 'id' | 'companyId' | 'createdAt' | 'updatedAt'>>;

export async function insertEndpoint(tx: Tx, id: string, columns: EndpointColumns): Promise<void> {
  const defaults = { companyId: tx.companyId, events: [], shape: 'standard', status: 'enabled' };
  await ask(tx, insertRow, { values: columnValues({ ...defaults, ...columns, id }) });
}

export async function changeEndpoint(tx: Tx, id: string, columns: EndpointColumns): Promise<void> {
  await ask(tx, updateRow, { id, values: columnValues(columns) });
}

export async function deleteEndpointRow(tx: Tx, id: string): Promise<void> {
  await ask(tx, deleteRow, { id });
}

const WRITABLE = [
  'description',
  'host',
  'target_key_id',
  'target',
  'secret_version',
  'events',
  'shape',
  'status',
  'event_transaction',
  'event_sequence',
];
const INSERTED = ['id', 'company_id', ...WRITABLE];
const CHANGED = [...WRITABLE, 'disabled_reason', 'failing_since'];

const insertRow = statement('insert-endpoint', {
  takes: { values: 'json' },
  gives: {},
  sql: ({ values }) => `
    INSERT INTO endpoint ${insertedFields('endpoint', INSERTED, values)}`,
});

const updateRow = statement('update-endpoint', {
  takes: { id: 'uuid', values: 'json' },
  gives: {},
  sql: ({ id, values }) => `
    UPDATE endpoint SET ${setFields('endpoint', CHANGED, values)}
    WHERE endpoint.id = ${id}`,
});

const deleteRow = statement('delete-endpoint', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `DELETE FROM endpoint WHERE id = ${id}`,
});
