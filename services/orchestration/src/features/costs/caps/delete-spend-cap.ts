import { ask, statement } from '@switchyard/db';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockSpendCap, recordedCap } from './spend-cap';

export async function deleteSpendCap(call: Call, capId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const cap = await lockSpendCap(tx, capId);
    await ask(tx, removeCap, { capId });
    await tx.record('spend_cap.deleted', capId, recordedCap(cap));
  });
}

const removeCap = statement('delete-spend-cap', {
  takes: { capId: 'uuid' },
  gives: {},
  sql: ({ capId }) => `DELETE FROM spend_cap WHERE id = ${capId}`,
});
