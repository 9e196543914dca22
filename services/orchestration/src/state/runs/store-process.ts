import { hostname } from 'node:os';
import { ask, type Database, statement } from '@switchyard/db';
import type { ProcessIdentity } from '../../adapters/agents/agent-adapter';

/** Where the processes of a claim are, for the worker that finds its lease over. */
export async function storeProcess(
  db: Database,
  { id: runId, epoch }: { id: string; epoch: number },
  { pid, startedAt }: ProcessIdentity,
): Promise<void> {
  await ask(db, store, { runId, epoch, host: hostname(), pid, startedAt });
}

const store = statement('store-process', {
  takes: { runId: 'uuid', epoch: 'int', host: 'text', pid: 'int', startedAt: 'text' },
  gives: {},
  sql: ({ runId, epoch, host, pid, startedAt }) => `
    UPDATE heartbeat_run SET process_host = ${host}, process_pid = ${pid},
      process_started_at = ${startedAt}
    WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running'`,
});
