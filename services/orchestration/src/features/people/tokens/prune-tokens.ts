import { ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';

/**
 * Keeps ended tokens for a month, so that the list of tokens explains why a program is rejected.
 */
export async function pruneTokens(context: Pick<Context, 'db'>, batch: number): Promise<number> {
  const [row] = await ask(context.db, prune, { batch });
  return row?.count ?? 0;
}

const prune = statement('prune-personal-tokens', {
  takes: { batch: 'int' },
  gives: { count: 'int' },
  sql: ({ batch }) => `
    WITH gone AS (
      DELETE FROM personal_token WHERE id = ANY (ARRAY(
        SELECT id FROM personal_token WHERE expires_at <= now() - interval '30 days'
        LIMIT ${batch} FOR UPDATE SKIP LOCKED))
      RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
});
