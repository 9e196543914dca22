import { ask, statement } from '@switchyard/db';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockRunLimit, recordedLimit } from './run-limit';

export async function deleteRunLimit(call: Call, limitId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const limit = await lockRunLimit(tx, limitId);
    await ask(tx, removeLimit, { limitId });
    await tx.record('run_limit.deleted', limitId, recordedLimit(limit));
  });
}

const removeLimit = statement('delete-run-limit', {
  takes: { limitId: 'uuid' },
  gives: {},
  sql: ({ limitId }) => `DELETE FROM run_limit WHERE id = ${limitId}`,
});
