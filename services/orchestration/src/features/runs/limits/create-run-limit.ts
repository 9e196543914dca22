import { ask, newId, statement, uniqueViolation } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { type CreateRunLimitBody, MAX_RUN_LIMITS, type RunLimitView } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../../kernel/call';
import { lockCompany } from '../../../state/companies/lock-company';
import { readRunLimit, recordedLimit } from './run-limit';

export async function createRunLimit(call: Call, body: CreateRunLimitBody): Promise<RunLimitView> {
  return inTransaction(call, async (tx) => {
    await assertRoom(tx);
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

async function assertRoom(tx: Tx): Promise<void> {
  await lockCompany(tx, tx.companyId);
  const [kept] = await ask(tx, countLimits, { companyId: tx.companyId });
  if ((kept?.n ?? 0) < MAX_RUN_LIMITS) return;
  const message = `a company may have at most ${MAX_RUN_LIMITS} limits: delete one first`;
  throw conflict('conflict', message, { limit: MAX_RUN_LIMITS });
}

const countLimits = statement('count-run-limits', {
  takes: { companyId: 'uuid' },
  gives: { n: 'int' },
  sql: ({ companyId }) =>
    `SELECT count(*)::int AS n FROM run_limit WHERE company_id = ${companyId}`,
});

const insertLimit = statement('insert-run-limit', {
  takes: { id: 'uuid', companyId: 'uuid', key: 'text', maxRunning: 'int', isPaused: 'bool' },
  gives: {},
  sql: (p) => `
    INSERT INTO run_limit (id, company_id, key, max_running, is_paused)
    VALUES (${p.id}, ${p.companyId}, ${p.key}, ${p.maxRunning}, ${p.isPaused})`,
});
