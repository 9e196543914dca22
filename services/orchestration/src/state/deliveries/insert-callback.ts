import { ask, statement, type Transaction } from '@switchyard/db';
import type { HandleType } from '@switchyard/types';

export interface NewCallback {
  id: string;
  companyId: string;
  queue: string;
  handle: { type: HandleType; id: string };
  /** Id of the row whose end is awaited: the handle, or the active firing that it joined. */
  awaited: string;
  keyId: string;
  target: Uint8Array<ArrayBuffer>;
}

/**
 * Stores a callback in the transaction that starts the work. A trigger marks the awaited row, so
 * that only the end of a marked row reads this table. If the handle has already ended, the callback
 * is due immediately.
 */
export async function insertCallback(
  tx: Transaction,
  { handle, awaited, ...callback }: NewCallback,
): Promise<void> {
  const waitsFor = {
    runId: null,
    issueId: null,
    routineRunId: null,
    [COLUMNS[handle.type]]: awaited,
  };
  const values = { ...callback, ...waitsFor, handleType: handle.type, handleId: handle.id };
  await ask(tx, insert, values);
}

const COLUMNS = { run: 'runId', issue: 'issueId', routine_run: 'routineRunId' } as const;

const insert = statement('insert-callback', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    queue: 'uuid',
    handleType: 'text',
    handleId: 'uuid',
    runId: 'uuid?',
    issueId: 'uuid?',
    routineRunId: 'uuid?',
    keyId: 'uuid',
    target: 'bytes',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO delivery (id, company_id, webhook_id, queue, status, handle_type, handle_id, run_id, issue_id,
      routine_run_id, target_key_id, target)
    VALUES (${p.id}, ${p.companyId}, 'cb_' || ${p.id}, ${p.queue}, 'waiting', ${p.handleType}, ${p.handleId},
      ${p.runId}, ${p.issueId}, ${p.routineRunId}, ${p.keyId}, ${p.target})`,
});

export const callbackOfSql = (handleId: string) => `(
  SELECT CASE d.status WHEN 'waiting' THEN 'pending' ELSE d.status END FROM delivery d
  WHERE d.handle_id = ${handleId} ORDER BY d.created_at DESC, d.id DESC LIMIT 1)`;

export const callbackStateSql = (handle: string) =>
  `CASE WHEN ${handle}.has_callback THEN ${callbackOfSql(`${handle}.id`)} END`;
