import { ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';

export async function pruneSessions(context: Pick<Context, 'db'>, batch: number): Promise<number> {
  const [row] = await ask(context.db, prune, { batch });
  return row?.count ?? 0;
}

const prune = statement('prune-sessions', {
  takes: { batch: 'int' },
  gives: { count: 'int' },
  sql: ({ batch }) => `
    WITH gone AS (
      DELETE FROM session WHERE hash = ANY (ARRAY(
        SELECT hash FROM session WHERE expires_at <= now() LIMIT ${batch} FOR UPDATE SKIP LOCKED))
      RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
});
