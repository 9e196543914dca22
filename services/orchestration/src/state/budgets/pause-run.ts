import { ask, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';

export async function pauseForBudget(
  tx: Tx,
  { id: runId, companyId }: { id: string; companyId: string },
): Promise<void> {
  await ask(tx, insertPause, { runId, companyId });
}

const insertPause = statement('pause-waiting-run', {
  takes: { runId: 'uuid', companyId: 'uuid' },
  gives: {},
  sql: ({ runId, companyId }) => `
    INSERT INTO budget_pause (company_id, run_id, cents) VALUES (${companyId}, ${runId}, 0)
    ON CONFLICT (run_id) DO NOTHING`,
});
