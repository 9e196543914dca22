import { ask, newId, statement, uniqueViolation } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { CreateRunLimitBody, RunLimitView } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { readRunLimit, recordedLimit } from './run-limit';

export async function createRunLimit(call: Call, body: CreateRunLimitBody): Promise<RunLimitView> {
  return inTransaction(call, async (tx) => {
    const id = newId();
    const { companyId } = tx;
    await ask(tx, insertLimit, { id, companyId, ...body }).catch((error: unknown) => {
      if (uniqueViolation(error) === null) throw error;
      const message = `the company already has a limit with the key ${body.key}: change that limit`;
      throw conflict('conflict', message, { field: 'key' });
    });
    await tx.record('run_limit.created', id, recordedLimit(body));
    return readRunLimit(tx, id);
  });
}

const insertLimit = statement('insert-run-limit', {
  takes: { id: 'uuid', companyId: 'uuid', key: 'text', maxRunning: 'int', isPaused: 'bool' },
  gives: {},
  sql: (p) => `
    INSERT INTO run_limit (id, company_id, key, max_running, is_paused)
    VALUES (${p.id}, ${p.companyId}, ${p.key}, ${p.maxRunning}, ${p.isPaused})`,
});
