import { ask, statement } from '@switchyard/db';
import type { SpendCapView, UpdateSpendCapBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockSpendCap, readSpendCap, recordedCap } from './spend-cap';

export async function updateSpendCap(
  call: Call,
  capId: string,
  { cents }: UpdateSpendCapBody,
): Promise<SpendCapView> {
  return inTransaction(call, async (tx) => {
    const before = await lockSpendCap(tx, capId);
    if (before.cents !== cents) {
      await ask(tx, changeCap, { capId, cents });
      const details = { ...recordedCap({ ...before, cents }), from: before.cents };
      await tx.record('spend_cap.updated', capId, details);
    }
    return readSpendCap(tx, capId);
  });
}

const changeCap = statement('change-spend-cap', {
  takes: { capId: 'uuid', cents: 'bigint' },
  gives: {},
  sql: ({ capId, cents }) =>
    `UPDATE spend_cap SET cents = ${cents}, updated_at = now() WHERE id = ${capId}`,
});
