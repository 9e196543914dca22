import { ask, newId, statement } from '@switchyard/db';
import type { CreateSpendCapBody, SpendCapView } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { assertReference } from '../../../state/references';
import { assertMayCap, asTaken, NEW_CAP, readSpendCap, recordedCap } from './spend-cap';

export async function createSpendCap(call: Call, body: CreateSpendCapBody): Promise<SpendCapView> {
  const { scope, scopeId, period } = body;
  return inTransaction(call, async (tx) => {
    assertMayCap(tx, scope);
    await assertReference(tx, scope === 'run' ? 'heartbeat_run' : scope, scopeId, 'scopeId');
    const id = newId();
    const { companyId } = tx;
    await ask(tx, insertCap, { id, companyId, ...body }).catch(asTaken(scope, period));
    await tx.record('spend_cap.created', id, recordedCap(body));
    return readSpendCap(tx, id);
  });
}

const insertCap = statement('insert-spend-cap', {
  takes: NEW_CAP,
  gives: {},
  sql: (p) => `
    INSERT INTO spend_cap (id, company_id, scope, scope_id, period, cents)
    VALUES (${p.id}, ${p.companyId}, ${p.scope}, ${p.scopeId}, ${p.period}, ${p.cents})`,
});
