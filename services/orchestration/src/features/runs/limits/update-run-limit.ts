import { ask, statement } from '@switchyard/db';
import type { RunLimitView, UpdateRunLimitBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockRunLimit, readRunLimit, recordedLimit } from './run-limit';

export async function updateRunLimit(
  call: Call,
  limitId: string,
  body: UpdateRunLimitBody,
): Promise<RunLimitView> {
  return inTransaction(call, async (tx) => {
    const before = await lockRunLimit(tx, limitId);
    const { maxRunning = before.maxRunning, isPaused = before.isPaused } = body;
    if (maxRunning !== before.maxRunning || isPaused !== before.isPaused) {
      await ask(tx, changeLimit, { limitId, maxRunning, isPaused });
      const after = recordedLimit({ ...before, maxRunning, isPaused });
      await tx.record('run_limit.updated', limitId, { ...after, from: recordedLimit(before) });
    }
    return readRunLimit(tx, limitId);
  });
}

const changeLimit = statement('change-run-limit', {
  takes: { limitId: 'uuid', maxRunning: 'int', isPaused: 'bool' },
  gives: {},
  sql: ({ limitId, maxRunning, isPaused }) => `
    UPDATE run_limit SET max_running = ${maxRunning}, is_paused = ${isPaused}, updated_at = now()
    WHERE id = ${limitId}`,
});
